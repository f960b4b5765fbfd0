import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command, Finished } from './command.ts'
import { runCommand } from './run-command.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'arrowhead-command-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (script: string, more: Partial<Command> = {}): Promise<Finished> =>
  runCommand({ argv: ['/bin/sh', '-c', script], cwd: folder, env: { PATH: '/usr/bin:/bin' }, wallMs: 60_000, maxOutputBytes: 100_000, ...more })

const textOf = ({ output }: Finished, from?: string): string =>
  output.filter((piece) => from === undefined || piece.from === from).map(({ bytes }) => Buffer.from(bytes).toString()).join('')

const isRunning = (pid: string): boolean => existsSync(`/proc/${pid}`) && !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
const isGone = (pid: string): Promise<void> => expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)

describe('a command', () => {
  it('gives back both streams in the order of arrival, and its exit code', async () => {
    const finished = await run('echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three; exit 7')
    expect(finished).toMatchObject({ end: 'exit', exitCode: 7, signal: null })
    expect(textOf(finished)).toBe('one\ntwo\nthree\n')
    expect(finished.output.map(({ from }) => from)).toEqual(['stdout', 'stderr', 'stdout'])
  })

  it('is never read by a shell', async () => {
    const finished = await runCommand({ argv: ['/bin/echo', '$HOME;', '`id`', '*'], cwd: '/', env: {}, wallMs: 60_000, maxOutputBytes: 1000 })
    expect(textOf(finished)).toBe('$HOME; `id` *\n')
  })

  it('finds the environment that it was given and nothing else', async () => {
    const finished = await runCommand({ argv: ['/usr/bin/env'], cwd: '/', env: { ONE: '1' }, wallMs: 60_000, maxOutputBytes: 1000 })
    expect(textOf(finished)).toBe('ONE=1\n')
  })

  it('finds its input at the end, or what it was given', async () => {
    expect(textOf(await run('cat; echo end'))).toBe('end\n')
    expect(textOf(await run('cat', { stdin: Buffer.from('given') }))).toBe('given')
  })

  it('reads what it was handed from the descriptors above the standard three', async () => {
    expect(textOf(await run('cat <&3; cat <&4', { handed: [Buffer.from('a'), Buffer.from('b')] }))).toBe('ab')
  })

  it('that does not read what it was handed does no harm', async () => {
    const much = Buffer.alloc(5_000_000)
    expect(await run('exec 3<&-; true', { stdin: much, handed: [much] })).toMatchObject({ exitCode: 0 })
  })

  it('that cannot be started is refused', async () => {
    await expect(run('', { argv: ['/nowhere/program'] })).rejects.toMatchObject({ code: 'exec.unavailable' })
    await expect(run('', { cwd: '/nowhere' })).rejects.toMatchObject({ code: 'exec.unavailable' })
  })
})

describe('the end of a command', () => {
  it('comes with the first byte over the cap, and what was kept is the cap', async () => {
    const finished = await run('while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done', { maxOutputBytes: 1000 })
    expect(finished).toMatchObject({ end: 'output', exitCode: null, signal: 'SIGKILL' })
    expect(textOf(finished)).toHaveLength(1000)
  })

  it('does not come with the last byte under the cap', async () => {
    expect(await run('printf 1234', { maxOutputBytes: 4 })).toMatchObject({ end: 'exit', exitCode: 0 })
    expect(await run('printf 12345', { maxOutputBytes: 4 })).toMatchObject({ end: 'output' })
  })

  it('comes when its time is over, also for one that ignores being asked', async () => {
    expect(await run("trap '' TERM INT HUP; while :; do sleep 1; done", { wallMs: 300 })).toMatchObject({ end: 'wall', signal: 'SIGKILL' })
  })

  it('comes when the call is aborted', async () => {
    const stop = new AbortController()
    const running = run('sleep 1000', { signal: stop.signal })
    stop.abort()
    expect(await running).toMatchObject({ end: 'abort', exitCode: null })
    expect(await run('true', { signal: stop.signal })).toMatchObject({ end: 'abort', durationMs: 0 })
  })

  it('takes its children along, however it came', async () => {
    for (const more of [{}, { wallMs: 500 }]) {
      const child = textOf(await run(`sleep 1000 & echo $!; ${'wallMs' in more ? 'wait' : 'exit 0'}`, more)).trim()
      expect(child).toMatch(/^\d+$/)
      await isGone(child)
    }
  })

  it('is not awaited for ever when somebody outside its group keeps the output open', async () => {
    const finished = await run('setsid sleep 1000 & echo $!; exit 0')
    expect(finished).toMatchObject({ end: 'exit', exitCode: 0 })
    process.kill(Number(textOf(finished).trim()), 'SIGKILL')
  })

  it.runIf(process.platform === 'linux' && existsSync('/usr/bin/python3'))('comes when it and its children hold too much memory together (Linux with Python only)', async () => {
    const script = 'import os,time\nfor _ in range(4):\n  if os.fork()==0:\n    block=b"x"*40_000_000\n    time.sleep(60)\ntime.sleep(60)'
    const finished = await run('', { argv: ['/usr/bin/python3', '-c', script], maxMemoryBytes: 100_000_000 })
    expect(finished).toMatchObject({ end: 'memory' })
  })
})

describe.runIf(process.platform === 'linux')('descriptors (Linux only)', () => {
  it('that the server itself inherited do not go on to what it starts', async () => {
    const bundle = join(folder, 'starter.mjs')
    const program = "import { runCommand } from './run-command.ts'\nconst { output } = await runCommand({ argv: ['/bin/ls', '-l', '/proc/self/fd'], cwd: '/', env: {}, wallMs: 60000, maxOutputBytes: 10000 })\nprocess.stdout.write(Buffer.concat(output.map(({ bytes }) => bytes)))"
    await build({ stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' }, outfile: bundle, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
    const secret = openSync('/etc/hostname', 'r')
    const stdio = Array.from({ length: 41 }, (_, fd) => (fd === 40 ? secret : fd < 3 ? 'pipe' : 'ignore') as 'pipe' | 'ignore' | number)
    const { stdout, stderr } = spawnSync(process.execPath, [bundle], { stdio, encoding: 'utf8' })
    closeSync(secret)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/ 40 -> \/dev\/null/)
    expect(stdout).not.toContain('hostname')
  })
})
