/** A small corpus and the outcomes of calls over it, for the tests of this family. */

import { testApp } from '../../testing/index.ts'
import type { TestApp, TestWorld } from '../../testing/index.ts'
import type { Outcome } from '../../kernel/call.ts'

/** Synthetic, and in parts so that no scanner trips on this file. */
export const TOKEN = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')

export const DOCUMENTS: Readonly<Record<string, string>> = {
  'notes/todo.md': '# To do\n\nThe deadline is Friday. <img src=x onerror=alert(1)>\n\n![pixel](https://evil.test/?q=1)\n',
  'notes/plan.txt': 'No DEADLINE here, only plans.\n',
  'exports/users.json': `{"b": 1, "a": "ann@example.org", "token": "${TOKEN}"}`,
  'hr/pay.md': 'A secret deadline for pay.\n',
}

/** Ann may read and scan everything but `hr`. */
export const ANN = { subject: 'ann', scopes: ['docs:search', 'docs:read', 'docs:scan', 'docs:write'] } as const
export const NOT_HR = JSON.stringify({
  grants: [
    { subject: '*', actions: ['search', 'scan'], kinds: ['prefix'], prefix: '' },
    ...['notes/', 'exports/'].map((prefix) => ({ subject: 'ann', actions: ['read', 'scan'], kinds: ['document'], prefix })),
    { subject: 'ann', actions: ['write'], kinds: ['document'], prefix: 'ann/' },
  ],
})

export const open = (world: TestWorld = {}): TestApp => testApp({ documents: DOCUMENTS, ...world })

/** As Ann under a policy that keeps `hr` from her. */
export const openAsAnn = (settings: TestWorld['settings'] = {}): TestApp => open({ as: ANN, settings: { authzPolicy: NOT_HR, ...settings } })

export const valueOf = (outcome: Outcome): Readonly<Record<string, unknown>> => {
  if (outcome.is !== 'ok') throw new Error(outcome.is === 'refused' ? `refused: ${outcome.refusal.code} ${outcome.refusal.hint ?? ''}` : outcome.is)
  return outcome.answer.value
}

export const codeOf = (outcome: Outcome): string => (outcome.is === 'refused' ? outcome.refusal.code : outcome.is)

const FENCED = /^<<data ([^>]+)>>\n([\s\S]*)\n<<end \1>>$/

/** What stands between the fences. @throws Error where there are none. */
export function unfenced(text: unknown): string {
  const inner = FENCED.exec(String(text))?.[2]
  if (inner === undefined) throw new Error(`not fenced: ${String(text)}`)
  return inner
}
