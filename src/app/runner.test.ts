import { describe, expect, it } from 'vitest'
import { ConfigError, loadSettings } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { Backend } from '../services/runner/index.ts'
import { diagnoseRunner } from './diagnose-runner.ts'
import { openRunner } from './runner.ts'

const settings = (more: object = {}): Settings => loadSettings({ file: JSON.stringify({ execEnabled: true, ...more }) }).values

const backend = (name: Backend['name'], problem?: string) => (): Backend => ({
  name, problem: () => problem, run: () => Promise.reject(new Error('nothing runs in this test')),
})

/** The lines that opening logs. */
function linesOf(choose: () => Backend, more: object = {}): readonly string[] {
  const lines: string[] = []
  openRunner(settings(more), { log: (line) => lines.push(line) > 0 }, choose)
  return lines
}

describe('opening the runner', () => {
  it.each(['sandbox', 'container', 'wasm'] as const)('ends the start where %s was asked for and cannot be had', (name) => {
    const open = (): unknown => openRunner(settings(), {}, backend(name, 'bubblewrap is not installed'))
    expect(open).toThrow(ConfigError)
    expect(open).toThrow(/ARROWHEAD_EXEC_RUNNER: .*bubblewrap is not installed/)
  })

  it('asks no runner for anything where nothing runs code', () => {
    expect(() => openRunner(settings({ execEnabled: false }), {}, backend('sandbox', 'missing'))).not.toThrow()
  })

  it('says loudly that subprocess isolates little, and what to take instead', () => {
    expect(linesOf(backend('subprocess')).join()).toMatch(/network and every file.*Set it to sandbox/)
    expect(linesOf(backend('sandbox'))).toEqual([])
  })

  it('says at start where even subprocess will refuse', () => {
    expect(linesOf(backend('subprocess', 'setpriv is missing')).join()).toContain('nothing will be run: setpriv is missing')
  })

  it('takes no test command that cannot be split', () => {
    expect(() => linesOf(backend('sandbox'), { execTestCommand: 'pytest "src' })).toThrow(/ARROWHEAD_EXEC_TEST_COMMAND: has a quote/)
  })
})

describe('what doctor says of it', () => {
  it('is nothing where nothing runs code', () => {
    expect(diagnoseRunner(settings({ execEnabled: false }))).toMatchObject({ state: 'ok' })
  })

  it('warns of subprocess where it works', () => {
    expect(diagnoseRunner(settings({ execWorkdir: '/tmp' }))).toMatchObject({ state: 'warn', next: expect.stringContaining('sandbox') })
  })
})
