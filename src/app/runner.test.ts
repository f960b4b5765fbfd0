import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, loadSettings } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { RunReport } from '../kernel/ports/runner.ts'
import type { Backend } from '../services/runner/index.ts'
import { diagnoseCommands, diagnoseRunner } from './diagnose-runner.ts'
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
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-doctor-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const reported = (report: Partial<RunReport>): typeof openRunner => () => ({
    runSnippet: async () => ({ exitCode: 0, signal: null, stdout: '', stderr: '', durationMs: 1, timedOut: false, truncated: false, redactions: 0, ...report }),
    runTests: () => Promise.reject(new Error('no tests are run')),
  })

  it('is nothing where nothing runs code', async () => {
    expect(await diagnoseRunner(settings({ execEnabled: false }))).toMatchObject({ state: 'ok' })
  })

  it('warns of subprocess where code really ran in it', async () => {
    expect(await diagnoseRunner(settings({ execWorkdir: folder }))).toMatchObject({ state: 'warn', what: expect.stringContaining('javascript'), next: expect.stringContaining('sandbox') })
  })

  it('is that a runner runs what it answers with the right result', async () => {
    expect(await diagnoseRunner(settings({ execRunner: 'wasm' }), undefined, reported({ stdout: '42\n' }))).toMatchObject({ state: 'ok', what: expect.stringContaining('wasm') })
  })

  it.each<Partial<RunReport>>([{ stdout: '41' }, { stdout: '42', exitCode: 1 }, { exitCode: null, signal: 'SIGSYS' }])('is that it starts nothing where a snippet ends as %j', async (report) => {
    expect(await diagnoseRunner(settings({ execWorkdir: folder }), undefined, reported(report))).toMatchObject({ state: 'fail', next: expect.stringContaining('sandbox') })
  })

  it('names the language that does not run beside the one that does', async () => {
    const open: typeof openRunner = (...given) => ({
      ...reported({})(...given),
      runSnippet: ({ language }) => reported({ stdout: language === 'python' ? '' : '42' })(...given).runSnippet({ language, code: '', stdin: '' }, { subject: 'doctor', signal: new AbortController().signal }),
    })
    for (const execRunner of ['wasm', 'subprocess']) {
      expect(await diagnoseRunner(settings({ execRunner, execWorkdir: folder }), undefined, open)).toMatchObject({ state: 'warn', what: expect.stringMatching(/javascript.*; python does not run/) })
    }
  })

  it('is whether programs of the assistant get a sandbox', () => {
    const shell = settings({ security: { default_shell_access: true } })
    expect(diagnoseCommands(settings(), () => false)).toMatchObject({ state: 'ok' })
    expect(diagnoseCommands(shell, () => true)).toMatchObject({ state: 'ok', what: expect.stringContaining('in a sandbox') })
    expect(diagnoseCommands(shell, () => false)).toMatchObject({ state: 'warn', next: expect.stringContaining('bubblewrap') })
  })
})
