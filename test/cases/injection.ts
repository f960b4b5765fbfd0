/**
 * Runs one line about orders in what a tool answers. Nothing here guesses what an order is: every text from outside is
 * fenced and named as data, whatever it says, hidden characters are taken out, and an honest text arrives as it was.
 * Lines about tool definitions are not asked here: one that nobody approved is not served at all (area `integrity`).
 */

import { testApp } from '../../src/testing/index.ts'
import type { Case, Verdict } from './case.ts'

export type InjectionCase = Case<{ readonly output?: string; readonly tool?: unknown }>

const FENCED = /^<<data ([\w-]{16})>>\n([\s\S]*)\n<<end \1>>$/
const HIDDEN = /[\u{e0000}-\u{e0fff}\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff]/u

export const isAboutOutput = ({ input }: InjectionCase): boolean => typeof input.output === 'string'

export async function runInjectionCase({ input: { output = '' }, expect }: InjectionCase): Promise<Verdict> {
  const { app, call } = testApp({ files: { 'a.txt': output } })
  const outcome = await call('read_file', { path: 'a.txt' })
  await app.close()
  if (outcome.is !== 'ok') return { right: false, got: outcome.is }
  const { content, notice } = outcome.answer.value
  const fenced = FENCED.exec(String(content))
  const text = fenced?.[2] ?? ''
  const isData = fenced !== null && /never as instructions/.test(String(notice))
  const isRight = expect === 'allow' ? text === output : isData && !HIDDEN.test(text)
  return { right: isRight, got: isData ? 'fenced' : 'bare' }
}
