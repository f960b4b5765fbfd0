import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finished } from '../../exits/process/command.ts'
import type { Runner } from '../../kernel/ports/runner.ts'
import { createSlots } from '../limits/slots.ts'
import type { Work } from './backend.ts'
import { createRunner } from './runner.ts'
import { LIMITS, never } from './runner.fixture.ts'

let repo: string
beforeAll(() => {
  repo = mkdtempSync(join(tmpdir(), 'arrowhead-runner-'))
  mkdirSync(join(repo, 'src'))
  writeFileSync(join(repo, 'src/a.py'), 'a')
  writeFileSync(join(repo, 'b.py'), 'b')
})
afterAll(() => rmSync(repo, { recursive: true, force: true }))

const piece = (from: 'stdout' | 'stderr', text: string) => ({ from, bytes: Buffer.from(text) })
const FINISHED: Finished = { end: 'exit', exitCode: 0, signal: null, output: [piece('stdout', 'a'), piece('stderr', 'key'), piece('stdout', 'b key')], durationMs: 1.6 }

interface World {
  readonly runner: Runner
  readonly work: Work[]
  /** Files that a test run copied. */
  readonly copied: string[]
  /** Lets everything that runs end. */
  finish(): void
}

function world(finished: Partial<Finished> = {}, { waits = false, command = ['pytest'] }: { readonly waits?: boolean; readonly command?: readonly string[] } = {}): World {
  const [work, copied]: [Work[], string[]] = [[], []]
  let finish = (): void => {}
  const ended = new Promise<void>((resolve) => void (finish = resolve))
  const runner = createRunner({
    backend: {
      name: 'sandbox', problem: () => undefined,
      async run(one) {
        work.push(one)
        if (one.kind === 'tests') one.fill((names) => copied.push(names.join('/')))
        if (waits) await ended
        return { ...FINISHED, ...finished }
      },
    },
    places: createSlots(3, 2),
    redact: async (text) => ({ text: text.replaceAll('key', '***'), count: text.split('key').length - 1 }),
    snippet: { ...LIMITS, maxCodeBytes: 10 },
    tests: { ...LIMITS, command, repoRoot: repo, excludedFolders: new Set(), maxFiles: 10, maxBytes: 100 },
  })
  return { runner, work, copied, finish: () => finish() }
}

const run = ({ runner }: World, subject = 'ann', code = 'x') => runner.runSnippet({ language: 'python', code, stdin: '' }, { subject, signal: never() })

describe('what a run answers', () => {
  it('is each stream in its own order, without credentials', async () => {
    expect(await run(world())).toEqual({ exitCode: 0, signal: null, stdout: 'ab ***', stderr: '***', durationMs: 2, timedOut: false, truncated: false, redactions: 2 })
  })

  it('says which kind of limit ended it', async () => {
    expect(await run(world({ end: 'wall', exitCode: null, signal: 'SIGKILL' }))).toMatchObject({ timedOut: true, truncated: false })
    expect(await run(world({ exitCode: null, signal: 'SIGXCPU' }))).toMatchObject({ timedOut: true })
    expect(await run(world({ end: 'output', exitCode: null, signal: 'SIGKILL' }))).toMatchObject({ timedOut: false, truncated: true })
    expect(await run(world({ end: 'memory', exitCode: null, signal: 'SIGKILL' }))).toMatchObject({ timedOut: false, truncated: false, signal: 'SIGKILL' })
  })

  it('leaves out a character that the cap split', async () => {
    expect(await run(world({ end: 'output', output: [{ from: 'stdout', bytes: Buffer.from('aü').subarray(0, 2) }] }))).toMatchObject({ stdout: 'a' })
  })
})

describe('how much runs', () => {
  it('is bounded for each caller and in all, and places come back', async () => {
    const one = world({}, { waits: true })
    const running = [run(one, 'ann'), run(one, 'ann')]
    await expect(run(one, 'ann')).rejects.toMatchObject({ code: 'concurrency.full' })
    running.push(run(one, 'bob'))
    await expect(run(one, 'cy')).rejects.toMatchObject({ code: 'concurrency.full' })
    expect(one.work).toHaveLength(3)
    one.finish()
    await Promise.all(running)
    await expect(run(one, 'ann')).resolves.toBeDefined()
  })

  it('gives a place back after a refusal too', async () => {
    const one = world()
    for (let time = 0; time < 5; time += 1) await expect(one.runner.runTests('nowhere', { subject: 'ann', signal: never() })).rejects.toMatchObject({ code: 'file.unavailable' })
    await expect(run(one, 'ann')).resolves.toBeDefined()
  })

  it('refuses a snippet over its size, counted in bytes', async () => {
    await expect(run(world(), 'ann', 'ü'.repeat(6))).rejects.toMatchObject({ code: 'content.too-large' })
    await expect(run(world(), 'ann', 'ü'.repeat(5))).resolves.toBeDefined()
  })
})

describe('a test run', () => {
  const tests = ({ runner }: World, prefix = '') => runner.runTests(prefix, { subject: 'ann', signal: never() })

  it('runs the operator’s command over the part that was named', async () => {
    const one = world()
    await tests(one, 'src/')
    expect(one.work).toMatchObject([{ kind: 'tests', argv: ['pytest'] }])
    expect(one.copied).toEqual(['src/a.py'])
  })

  it('is refused where there is no command', async () => {
    const one = world({}, { command: [] })
    await expect(tests(one)).rejects.toMatchObject({ code: 'exec.no-command' })
    expect(one.work).toEqual([])
  })

  it.each(['../x', '/etc', 'src/../../x'])('is refused for %j', async (prefix) => {
    await expect(tests(world(), prefix)).rejects.toMatchObject({ code: 'path.invalid' })
  })
})
