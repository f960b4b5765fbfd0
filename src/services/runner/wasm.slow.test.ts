import { describe, expect, it } from 'vitest'
import { LIMITS, never, snippet, textOf } from './runner.fixture.ts'
import { createWasm } from './wasm.ts'

const wasm = createWasm()
const run = (code: string, { stdin = '', limits = LIMITS, signal = never() } = {}) => wasm.run(snippet(code, 'javascript', stdin), limits, signal)

describe('the wasm runner', () => {
  it('runs JavaScript and keeps both streams', async () => {
    const finished = await run('console.log(6 * 7, "ü🚀", { a: [1] }); console.error("e"); print(stdin.toUpperCase())', { stdin: 'in' })
    expect(finished).toMatchObject({ end: 'exit', exitCode: 0 })
    expect([textOf(finished), textOf(finished, 'stderr')]).toEqual(['42 ü🚀 {"a":[1]}\nIN\n', 'e\n'])
  })

  it('runs what was promised for later', async () => {
    expect(textOf(await run('(async () => { await null; console.log("later") })()'))).toBe('later\n')
  })

  it('tells of an error as a program would', async () => {
    const finished = await run('throw new RangeError("out of it")')
    expect(finished).toMatchObject({ exitCode: 1 })
    expect(textOf(finished, 'stderr')).toContain('RangeError: out of it')
    expect(await run('const = 1')).toMatchObject({ exitCode: 1 })
  })

  it.each(['process', 'require', 'fetch', 'WebSocket', 'Worker', 'WebAssembly', 'performance', 'Deno', 'std', 'os'])('has no %s', async (name) => {
    expect(textOf(await run(`console.log(typeof ${name})`))).toBe('undefined\n')
  })

  it.each([
    ['a name of the host through a constructor', 'console.log.constructor("return typeof process")()'],
    ['the frame above through an error', 'try { null.x } catch (e) { e.constructor.constructor("return this")().process }'],
  ])('does not get %s', async (_what, code) => {
    expect(textOf(await run(`console.log(String(${code}))`))).not.toContain('object')
  })

  it('imports nothing', async () => {
    expect(textOf(await run('import("node:fs").then(() => console.log("ESCAPED"), () => console.log("no"))'))).toBe('no\n')
  })

  it.each([
    ['a loop', 'for (;;) {}'],
    ['promises without end', 'const again = () => Promise.resolve().then(again); again()'],
    ['a pattern without end', '/(a+)+$/.test("a".repeat(60) + "b")'],
  ])('ends %s at the deadline', async (_what, code) => {
    expect(await run(code, { limits: { ...LIMITS, cpuSeconds: 1, wallMs: 20_000 } })).toMatchObject({ end: 'wall', exitCode: null })
  })

  it('ends on the wall even what cannot be interrupted from inside', async () => {
    expect(await run('for (;;) {}', { limits: { ...LIMITS, wallMs: 200 } })).toMatchObject({ end: 'wall' })
  })

  it.each([
    ['arrays', 'const all = []; for (;;) all.push(new Array(10000).fill(all))'],
    ['strings', 'const all = []; for (let i = 0; ; i++) all.push("x".repeat(10000) + i)'],
    ['bytes', 'const all = []; for (;;) all.push(new Uint8Array(1e6))'],
    ['one doubling string', 'let text = "x"; for (;;) text += text'],
    ['calls within calls', 'const f = () => f() + 1; f()'],
  ])('ends a program that takes too much memory in %s', async (_what, code) => {
    const before = process.memoryUsage().rss
    const finished = await run(code, { limits: { ...LIMITS, memoryBytes: 64_000_000 } })
    expect(finished).not.toMatchObject({ exitCode: 0 })
    expect(process.memoryUsage().rss - before).toBeLessThan(1_000_000_000)
  })

  it('ends output at the cap', async () => {
    const finished = await run('for (;;) console.log("x".repeat(1000))', { limits: { ...LIMITS, maxOutputBytes: 2_500 } })
    expect(finished).toMatchObject({ end: 'output' })
    expect(textOf(finished)).toHaveLength(2_500)
  })

  it('ends when the call is aborted', async () => {
    const stop = new AbortController()
    const running = run('for (;;) {}', { signal: stop.signal })
    stop.abort()
    expect(await running).toMatchObject({ end: 'abort' })
  })

  it('refuses what it cannot do, and does not do it elsewhere', async () => {
    await expect(wasm.run(snippet('print(1)'), LIMITS, never())).rejects.toMatchObject({ code: 'exec.unavailable' })
    await expect(wasm.run({ kind: 'tests', argv: ['true'], fill: () => {} }, LIMITS, never())).rejects.toMatchObject({ code: 'exec.unavailable' })
  })
})
