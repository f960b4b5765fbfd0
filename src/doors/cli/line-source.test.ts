import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { openLines } from './line-source.ts'
import type { LineSource } from './line-source.ts'

let lines: LineSource
afterEach(() => lines.close())

/** A terminal without one: what is typed goes in, what is shown comes out. */
function opened(): { readonly type: (text: string) => void; readonly shown: () => string } {
  let shown = ''
  const see = (text: string): void => void (shown += text)
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stdout = Object.assign(new PassThrough().setEncoding('utf8').on('data', see), { isTTY: true })
  lines = openLines({ stdin, stdout, stderr: new PassThrough().setEncoding('utf8').on('data', see), env: {}, cwd: '/', home: '/', platform: 'linux', stop: new AbortController().signal, parent: () => 1 }, () => undefined)
  return { type: (text) => void stdin.write(text), shown: () => shown }
}

const [LONG_MS, SHORT_MS, DROPPED_MS] = [60_000, 100, 90]

it('a question that is off takes neither the line nor the end of the one after it', async () => {
  const { type, shown } = opened()
  const stopped = new AbortController()
  const first = lines.answer('sure? ', { timeoutMs: DROPPED_MS + SHORT_MS, signal: stopped.signal })
  await pause(DROPPED_MS)
  expect(shown()).toContain('sure? ')
  stopped.abort()
  expect(await first).toBeUndefined()
  const next = lines.next('> ')
  // Beyond the time that the first one had.
  await pause(DROPPED_MS + SHORT_MS)
  type('go on\n')
  expect(await next).toBe('go on')
})

it('a question that is off before it is shown is not shown, and leaves what is typed to the next', async () => {
  const { type, shown } = opened()
  const stopped = new AbortController()
  const first = lines.answer('sure? ', { timeoutMs: LONG_MS, signal: stopped.signal })
  stopped.abort()
  const next = lines.next('> ')
  type('go')
  expect(await first).toBeUndefined()
  type(' on\n')
  expect(await next).toBe('go on')
  expect(shown()).not.toContain('sure? ')
})

it('a question whose time is over is answered by nothing, and the next line is for the next', async () => {
  const { type } = opened()
  expect(await lines.answer('sure? ', { timeoutMs: SHORT_MS, signal: new AbortController().signal })).toBeUndefined()
  const next = lines.next('> ')
  type('yes\n')
  expect(await next).toBe('yes')
})

it('lines that came too early are not taken, and that is said before the next one', async () => {
  const { type, shown } = opened()
  const first = lines.next('> ')
  type('one\ntwo\n\nthree\n')
  expect(await first).toBe('one')
  const next = lines.next('> ')
  type('four\n')
  expect(await next).toBe('four')
  expect(shown()).toContain('arrowhead: not taken, because it came before the last answer: 2 lines\n')
})

it('whoever put it aside and comes back types on', async () => {
  const { type } = opened()
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  try {
    const next = lines.next('> ')
    type('go\u001a')
    await vi.waitFor(() => expect(kill).toHaveBeenCalledWith(process.pid, 'SIGTSTP'))
    process.emit('SIGCONT')
    type(' on\n')
    expect(await next).toBe('go on')
  } finally {
    kill.mockRestore()
  }
})
