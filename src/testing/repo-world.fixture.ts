/** An app over a source tree that is made anew for each test. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Outcome } from '../kernel/call.ts'
import { testApp, type TestApp, type TestWorld } from './index.ts'

export type Value = Readonly<Record<string, unknown>>

export interface RepoWorld extends TestApp {
  readonly root: string
  /** What a call that must succeed answers. */
  value(name: string, args: object): Promise<Value>
  put(path: string, content: string | Uint8Array): void
}

export function repoWorld(files: Readonly<Record<string, string | Uint8Array>>, world: TestWorld = {}): RepoWorld {
  const base = mkdtempSync(join(tmpdir(), 'repo-'))
  const root = join(base, 'repo')
  mkdirSync(root)
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) put(path, content)
  const app = testApp({ ...world, settings: { repoRoot: root, rateLimitEnabled: false, ...world.settings } })
  onTestFinished(async () => {
    await app.app.close()
    rmSync(base, { recursive: true, force: true })
  })
  return { ...app, root, put, value: async (name, args) => valueOf(await app.call(name, args)) }
}

export function valueOf(outcome: Outcome): Value {
  if (outcome.is !== 'ok') throw new Error(`the call did not succeed: ${JSON.stringify(outcome)}`)
  return outcome.answer.value
}

export const codeOf = (outcome: Outcome): string => (outcome.is === 'refused' ? outcome.refusal.code : outcome.is)
