import { expect } from 'vitest'
import { openRunner } from '../../../src/app/runner.ts'
import { ConfigError, loadSettings } from '../../../src/config/index.ts'
import type { Runner } from '../../../src/kernel/ports/runner.ts'
import type { TestWorld } from '../../../src/testing/index.ts'
import { codeOf } from '../probes.ts'
import type { Area } from '../proves.ts'

const GRANTS = { grants: [{ subject: 'ann', actions: ['execute'], kinds: ['sandbox'], prefix: 'python' }] }

/** A runner that only counts, so that nothing is run by mistake. */
function world(settings: object): { readonly setup: TestWorld; readonly ran: string[] } {
  const ran: string[] = []
  const runner: Runner = {
    runSnippet: async ({ language }) => {
      ran.push(language)
      return { exitCode: 0, signal: null, stdout: '', stderr: '', durationMs: 1, timedOut: false, truncated: false, redactions: 0 }
    },
    runTests: () => Promise.reject(new Error('not asked')),
  }
  return { ran, setup: { settings, as: { subject: 'ann', scopes: ['exec:run'] }, options: { replace: { services: { runner } } } } }
}

export const exec: Area = (proves) => {
  proves('exec.opened-twice', 'neither switch alone lets code run, and a grant for one language does not reach another', async ({ open }) => {
    const off = world({ authzPolicy: JSON.stringify(GRANTS) })
    expect(codeOf(await open(off.setup).call('run_snippet', { code: '1' }))).toBe('component.unknown')
    const ungranted = world({ execEnabled: true, authzPolicy: JSON.stringify({ grants: [{ subject: 'ann', actions: ['read', 'write'], prefix: '' }] }) })
    expect(codeOf(await open(ungranted.setup).call('run_snippet', { code: '1' }))).toBe('access.denied')
    const both = world({ execEnabled: true, authzPolicy: JSON.stringify(GRANTS) })
    const { call } = open(both.setup)
    expect([codeOf(await call('run_snippet', { code: '1' })), codeOf(await call('run_snippet', { code: '1', language: 'javascript' }))]).toEqual(['ok', 'access.denied'])
    expect([off.ran, ungranted.ran, both.ran]).toEqual([[], [], ['python']])
  })

  proves('exec.no-fallback', 'a runner that cannot run here stops the start, whatever others could', ({ folder }) => {
    for (const execRunner of ['sandbox', 'container', 'wasm']) {
      const { values } = loadSettings({ file: JSON.stringify({ execEnabled: true, execRunner, execContainerImage: 'python:3.12', execWorkdir: folder() }) })
      const asked: string[] = []
      const start = (): unknown => openRunner(values, {}, (settings) => {
        asked.push(settings.execRunner)
        return { name: settings.execRunner as 'sandbox', problem: () => 'it is not here', run: () => Promise.reject(new Error('never')) }
      })
      expect(start).toThrow(ConfigError)
      expect(asked).toEqual([execRunner])
    }
  })
}
