/** Asks every code tool about a hostile repository, and holds the answers to what was promised. */

import { createHook } from 'node:async_hooks'
import { existsSync, rmSync } from 'node:fs'
import { expect } from 'vitest'
import type { Outcome } from '../../src/kernel/call.ts'
import { testApp } from '../../src/testing/index.ts'
import { codeOf } from '../guarantees/probes.ts'
import { CANARY, FOUND, plantHostileRepo } from './hostile-repo.ts'

const READS = ['.git/config', 'nested/.git/HEAD', 'links/secret.ts', 'links/hard.ts', 'links/pipe.ts', 'links/environ.txt', 'links/config.md', 'links/a', 'enc/nul.ts', 'enc/utf16le.ts', 'size/one-line.ts']
const PREFIXES = ['', 'links/', 'links/outside', 'links/up', 'links/loop', 'links/etc', '.git/', 'nested/.git', 'bare/', 'many/', 'deep/', 'enc/', 'submodule']

/** Child processes started while the work goes on. */
async function processesOf(work: () => Promise<void>): Promise<number> {
  let started = 0
  const hook = createHook({ init: (_id, type) => void (type === 'PROCESSWRAP' && (started += 1)) }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return started
}

export async function holdsAgainstHostileRepo(entries: number): Promise<void> {
  const { base, root, marker } = plantHostileRepo(entries)
  const many = { repoSearchMaxFiles: 1_000_000, symbolMapMaxFiles: 100_000, symbolMapMaxSymbols: 1_000_000, dependencyGraphMaxFiles: 100_000, searchMaxResults: 100_000, outputMaxBytes: 100_000_000 }
  const { app, call } = testApp({ settings: { repoRoot: root, rateLimitEnabled: false, searchRegexEnabled: true, callTimeoutSeconds: 300, ...many } })
  const answers: Outcome[] = []
  const ask = async (name: string, args: object): Promise<Outcome> => {
    const outcome = await call(name, args)
    answers.push(outcome)
    return outcome
  }
  try {
    const started = await processesOf(async () => {
      const found = await ask('code_search', { query: FOUND })
      expect(found).toMatchObject({ is: 'ok', answer: { value: { truncated: false } } })
      const value = found.is === 'ok' ? found.answer.value : {}
      const paths = new Set((value['matches'] as readonly { readonly path: string }[]).map(({ path }) => path))
      for (const path of ['nested/deeper/src/in-repo.ts', 'bare/readme.md', 'submodule/a.ts', 'links/own.ts', 'enc/utf8-bom.ts', 'enc/cr.ts', 'enc/$(touch x);`id`.ts', 'size/wide.ts', `${'deep/'.repeat(90)}a.ts`, 'many/f0.ts']) expect([path, paths.has(path)]).toEqual([path, true])
      expect(paths.size).toBe(17 + entries / 100)
      const skipped = new Map(String(value['skipped']).split(', ').map((one) => one.split(' ') as [string, string]))
      expect([skipped.get('encoding'), skipped.get('binary'), skipped.get('too-large'), skipped.get('unreadable')]).toEqual(['8', '1', '1', '1'])
      for (const path_prefix of PREFIXES) for (const name of ['symbol_map', 'dependency_graph']) expect([path_prefix, codeOf(await ask(name, { path_prefix }))]).toEqual([path_prefix, 'ok'])
      for (const query of [CANARY.slice(0, -1), 'fsmonitor']) expect(await ask('code_search', { query })).toMatchObject({ is: 'ok', answer: { value: { match_count: 0 } } })
      expect((await ask('code_search', { query: '(x+x+)+y|[^z]{50,100}q', use_regex: true })).is).toBe('ok')
      for (const path of READS) expect([path, (await ask('code_read', { path })).is]).toEqual([path, 'refused'])
      expect(await ask('code_read', { path: 'again/own.ts' })).toMatchObject({ is: 'ok', answer: { value: { metadata: { path: 'links/own.ts' } } } })
    })
    expect(started).toBe(0)
    expect(existsSync(marker)).toBe(false)
    const shown = JSON.stringify(answers)
    for (const secret of [CANARY, 'root:x:0', base]) expect([secret, shown.indexOf(secret) < 0 ? '' : shown.slice(shown.indexOf(secret) - 200, shown.indexOf(secret) + 100)]).toEqual([secret, ''])
  } finally {
    await app.close()
    rmSync(base, { recursive: true, force: true })
  }
}
