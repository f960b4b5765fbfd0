import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScratchRoot } from '../../exits/disk/scratch.ts'
import type { Backend } from './backend.ts'
import { createContainer } from './container.ts'
import { LIMITS, never, snippet, textOf } from './runner.fixture.ts'

/** Writes down how it is called; what it does on `run` is up to the test. */
const stub = (log: string, onRun: string): string => `#!/bin/sh
env > '${log}.env'
for word in "$@"; do printf '%s\\037' "$word" >> '${log}'; done
echo >> '${log}'
if [ "$1" = run ]; then ${onRun}; fi
`

let base: string
beforeEach(() => void (base = mkdtempSync(join(tmpdir(), 'arrowhead-container-'))))
afterEach(() => rmSync(base, { recursive: true, force: true }))

function backend(onRun: string, engine = 'docker'): Backend {
  mkdirSync(join(base, 'bin'))
  writeFileSync(join(base, 'bin', engine), stub(join(base, 'log'), onRun))
  chmodSync(join(base, 'bin', engine), 0o755)
  const scratch = openScratchRoot({ root: join(base, 'scratch'), start: '1', isAlive: () => true })
  return createContainer({ image: 'python:3.12', scratch: () => scratch, engineEnv: { DOCKER_HOST: 'unix:///run/here.sock' }, folders: [join(base, 'bin')] })
}

const calls = (): readonly (readonly string[])[] => readFileSync(join(base, 'log'), 'utf8').trim().split('\n').map((line) => line.split('\x1f').slice(0, -1))
const valuesOf = (argv: readonly string[] | undefined, option: string): readonly string[] => (argv ?? []).flatMap((word, at) => (word === option ? [argv?.[at + 1] ?? ''] : []))

describe('the container runner', () => {
  it('gives the container no network, no rights, and no writable root', async () => {
    await backend('true').run(snippet('print(1)'), LIMITS, never())
    const [run] = calls()
    expect(run?.slice(0, 4)).toEqual(['run', '--rm', '--init', '--name'])
    for (const [option, value] of [['--network', 'none'], ['--cap-drop', 'ALL'], ['--security-opt', 'no-new-privileges'], ['--user', '65534:65534'], ['--ipc', 'private'], ['--pull', 'never']] as const) {
      expect([option, valuesOf(run, option)]).toEqual([option, [value]])
    }
    expect(run).toContain('--read-only')
    expect(run?.some((word) => /^--(?:privileged|volume|device|cap-add|pid|userns)(?:=|$)/.test(word))).toBe(false)
    expect(valuesOf(run, '--mount')).toEqual([expect.stringMatching(/^type=bind,source=.*,target=\/copy,readonly$/)])
  })

  it('tells the engine where it is, and nothing else of this process', async () => {
    await backend('true').run(snippet('print(1)'), LIMITS, never())
    const names = readFileSync(join(base, 'log.env'), 'utf8').trim().split('\n').map((line) => line.split('=')[0] ?? '')
    // The shell that plays the engine adds the others.
    expect(names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)).sort()).toEqual(['DOCKER_HOST', 'PATH'])
  })

  it('limits processes, memory, processor, files and output', async () => {
    await backend('true').run(snippet('print(1)'), LIMITS, never())
    const [run] = calls()
    for (const [option, value] of [['--pids-limit', '64'], ['--memory', '300000000'], ['--memory-swap', '300000000'], ['--cpus', '1']] as const) expect(valuesOf(run, option)).toEqual([value])
    expect(valuesOf(run, '--ulimit')).toEqual(['cpu=30:31', 'fsize=20000000:20000000', 'nofile=256:256', 'core=0:0'])
    for (const mount of valuesOf(run, '--tmpfs')) expect(mount).toContain('nosuid,nodev')
  })

  it('starts the interpreter of the language and nothing of the image', async () => {
    const one = backend('true')
    await one.run(snippet('print(1)'), LIMITS, never())
    await one.run(snippet('1', 'javascript'), LIMITS, never())
    const runs = calls().filter(([word]) => word === 'run')
    expect(runs.map((argv) => argv.slice(argv.indexOf('--entrypoint')))).toEqual([
      ['--entrypoint', '', 'python:3.12', 'python3', '-I', '-B', '-X', 'utf8', '/copy/snippet.py'],
      ['--entrypoint', '', 'python:3.12', 'node', '/copy/snippet.js'],
    ])
  })

  it('shows the code and passes input and output on', async () => {
    const finished = await backend(`for word in "$@"; do case "$word" in type=bind*) cat "$(echo "$word" | sed 's/.*source=//; s/,target.*//')/snippet.py";; esac; done; cat; exit 3`)
      .run(snippet('print(1)\n', 'python', 'input'), LIMITS, never())
    expect(finished).toMatchObject({ end: 'exit', exitCode: 3 })
    expect(textOf(finished)).toBe('print(1)\ninput')
    expect(calls()[0]).toContain('--interactive')
  })

  it.each([['its end', 'true', LIMITS], ['its time', 'sleep 1000', { ...LIMITS, wallMs: 300 }], ['its output', 'yes', LIMITS]])('removes container and scratch folder after %s', async (_what, onRun, limits) => {
    await backend(onRun).run(snippet('print(1)'), limits, never())
    const [run, remove] = calls()
    expect(remove).toEqual(['rm', '--force', ...valuesOf(run, '--name')])
    expect(readdirSync(join(base, 'scratch'))).toEqual([])
  })

  it('copies the tree into the writable folder before the tests, by a fixed script', async () => {
    const work = { kind: 'tests', argv: ['pytest', '$(id)'], fill: (write: (names: readonly string[], bytes: Uint8Array) => void) => write(['a.py'], Buffer.from('a')) } as const
    await backend('true').run(work, LIMITS, never())
    const [run] = calls()
    expect(run?.slice(run.indexOf('python:3.12') + 1)).toEqual(['/bin/sh', '-c', 'cp -R /copy/. /work/ && exec "$@"', 'sh', 'pytest', '$(id)'])
  })

  it('refuses where the engine could not start the image', async () => {
    await expect(backend('exit 125').run(snippet(''), LIMITS, never())).rejects.toMatchObject({ code: 'exec.unavailable' })
  })

  it('takes podman where there is no docker, and says where there is neither', () => {
    expect(backend('true', 'podman').problem()).toBeUndefined()
    expect(createContainer({ image: 'x', scratch: () => { throw new Error('unused') }, folders: [join(base, 'none')] }).problem()).toContain('neither docker nor podman')
    expect(existsSync(join(base, 'log'))).toBe(false)
  })
})
