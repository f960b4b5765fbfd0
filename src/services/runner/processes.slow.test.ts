import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScratchRoot } from '../../exits/disk/scratch.ts'
import type { Backend, Limits, Work } from './backend.ts'
import { LIMITS, never, snippet, textOf } from './runner.fixture.ts'
import { createSandbox } from './sandbox.ts'
import { sandboxProblem } from './sandbox-problem.ts'
import { createSubprocess } from './subprocess.ts'

const hasSubprocess = process.platform === 'linux'
const whyNot = sandboxProblem()

const base = mkdtempSync(join(tmpdir(), 'arrowhead-processes-'))
beforeAll(() => chmodSync(base, 0o755))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const workdir = join(base, 'scratch')
let opened: ReturnType<typeof openScratchRoot> | undefined
const scratch = (): ReturnType<typeof openScratchRoot> => (opened ??= openScratchRoot({ root: workdir, start: '1', isAlive: () => true }))

const RUNNERS: readonly (readonly [name: string, skip: boolean, make: () => Backend])[] = [
  [`subprocess${hasSubprocess ? '' : ' (skipped: needs Linux)'}`, !hasSubprocess, () => createSubprocess({ workdir, scratch })],
  [`sandbox${whyNot === undefined ? '' : ` (skipped: ${whyNot})`}`, whyNot !== undefined, () => createSandbox({ scratch })],
]

const tests = (argv: readonly string[], files: Readonly<Record<string, string>> = {}): Work => ({
  kind: 'tests', argv,
  fill: (write) => {
    for (const [path, text] of Object.entries(files)) write(path.split('/'), Buffer.from(text))
  },
})

for (const [name, skip, make] of RUNNERS) {
  const backend = make()
  const run = (work: Work, limits: Partial<Limits> = {}, signal = never()) => backend.run(work, { ...LIMITS, ...limits }, signal)

  describe.skipIf(skip)(`the ${name} runner`, () => {
    it('runs Python with its input, and tells the exit code', async () => {
      const finished = await run(snippet('import sys; print(input(), __name__); print("e", file=sys.stderr); sys.exit(5)', 'python', 'ü🚀\n'))
      expect(finished).toMatchObject({ end: 'exit', exitCode: 5, signal: null })
      expect([textOf(finished), textOf(finished, 'stderr')]).toEqual(['ü🚀 __main__\n', 'e\n'])
    })

    it('runs JavaScript with its input', async () => {
      const finished = await run(snippet('process.stdin.on("data", (data) => console.log(String(data), 6 * 7))', 'javascript', 'in'))
      expect(textOf(finished)).toBe('in 42\n')
    })

    it('gives code without input one that is at its end', async () => {
      expect(textOf(await run(snippet('import sys; print(repr(sys.stdin.read()))')))).toBe("''\n")
    })

    it('tells of a signal', async () => {
      expect(await run(snippet('import os; os.abort()'))).toMatchObject({ end: 'exit', exitCode: null, signal: 'SIGABRT' })
    })

    it('ends code at the limit of the processor', async () => {
      expect(await run(snippet('while True: pass'), { cpuSeconds: 1 })).toMatchObject({ end: 'exit', exitCode: null, signal: 'SIGXCPU' })
    })

    it('ends code at the wall, at the output cap, and when the call is aborted', async () => {
      expect(await run(snippet('import time; time.sleep(1000)'), { wallMs: 1_500 })).toMatchObject({ end: 'wall' })
      expect(await run(snippet('while True: print("x" * 1000)'))).toMatchObject({ end: 'output' })
      const stop = new AbortController()
      const running = run(snippet('import time; time.sleep(1000)'), {}, stop.signal)
      setTimeout(() => stop.abort(), 200)
      expect(await running).toMatchObject({ end: 'abort' })
    })

    it('ends code that ignores the signal of the processor limit one second later', async () => {
      const finished = await run(snippet('import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass'), { cpuSeconds: 1 })
      expect(finished).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
    })

    it('keeps each process to its memory', async () => {
      const finished = await run(snippet('bytearray(400_000_000)'))
      expect(textOf(finished, 'stderr')).toContain('MemoryError')
    })

    it('runs a test command in a copy that it may write to, arguments as they are', async () => {
      const script = 'cat a/b.txt; echo more >> a/b.txt && cat a/b.txt; echo "$1"'
      const finished = await run(tests(['/bin/sh', '-c', script, 'sh', '$(id) *'], { 'a/b.txt': 'text\n' }))
      expect(textOf(finished)).toBe('text\ntext\nmore\n$(id) *\n')
    })

    it('runs a script of the copied tree', async () => {
      expect(textOf(await run(tests(['./test.sh'], { 'test.sh': '#!/bin/sh\necho ran\n' })))).toBe('ran\n')
    })

    it('says what a shell would where the command is not there', async () => {
      expect(await run(tests(['no-such-program'], { a: '' }))).toMatchObject({ end: 'exit', exitCode: 127 })
    })

    it('leaves nothing in the scratch folder, whatever the code did there', async () => {
      const mess = 'import os\nfor i in range(300):\n    os.mkdir("d"*200); os.chdir("d"*200)\nopen("f","w").write("x"); os.chmod(".", 0); print("made")'
      expect(textOf(await run(snippet(mess)))).toBe('made\n')
      await run(tests(['/bin/sh', '-c', 'mkdir x && touch x/y && chmod 0 x && ln -s /etc link'], { a: '' }))
      expect(readdirSync(workdir)).toEqual([])
    })

    it('cleans up after a copy that was refused', async () => {
      const work: Work = { kind: 'tests', argv: ['true'], fill: () => { throw new Error('refused') } }
      await expect(run(work)).rejects.toThrow('refused')
      expect(readdirSync(workdir)).toEqual([])
    })

    it('runs many at once, each apart from the others', async () => {
      const code = (word: string): string => `import os,time\nopen("mine","w").write("${word}"); time.sleep(0.3); print(open("mine").read(), sorted(os.listdir(".")))`
      const all = await Promise.all(['a', 'b', 'c', 'd'].map((word) => run(snippet(code(word)))))
      for (const [index, word] of ['a', 'b', 'c', 'd'].entries()) expect(textOf(all[index] ?? { output: [] })).toMatch(new RegExp(`^${word} \\['mine', 'snippet.py'`))
    })
  })
}
