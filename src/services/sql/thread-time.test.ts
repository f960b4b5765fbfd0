import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { createParserThread } from './parser-thread.ts'
import { leftMs, threadTime } from './thread-time.ts'

describe('the time of a text', () => {
  it('is what its thread worked, and not what it waited for a processor', () => {
    expect(leftMs(250, { usedMs: 3, waitedMs: 9_000 })).toBe(247)
    expect(leftMs(250, { usedMs: 250, waitedMs: 251 })).toBe(0)
  })

  it('is bounded on the wall too', () => {
    expect(leftMs(250, { usedMs: 0, waitedMs: 20_000 })).toBe(0)
    expect(leftMs(250, { usedMs: 0, waitedMs: 19_990 })).toBe(10)
  })

  it('is a larger one on the wall where nobody knows what the thread worked', () => {
    expect(leftMs(250, { usedMs: undefined, waitedMs: 500 })).toBe(1_500)
    expect(leftMs(250, { usedMs: undefined, waitedMs: 2_000 })).toBe(0)
  })
})

describe('the thread of the parser', () => {
  const text = `SELECT ${'1, '.repeat(1_000)}1`

  it('is waited for while it is starved', async () => {
    const parser = createParserThread({ parser: 'generic', deadlineMs: 0.01, timeOf: () => () => 0 })
    expect(await parser.parse(text, 'sqlite')).toBeTruthy()
    await parser.close()
  })

  it('is ended once it has worked for long enough, and the next text has another', async () => {
    const started: Worker[] = []
    const parser = createParserThread({ parser: 'generic', onStart: (worker) => started.push(worker) })
    // Many times what the deadline allows, on any machine.
    await expect(parser.parse(`SELECT ${'1, '.repeat(1_000_000)}1`, 'sqlite')).rejects.toMatchObject({ code: 'sql.too-complex' })
    expect(await parser.parse('SELECT 1', 'sqlite')).toBeTruthy()
    await parser.close()
    expect(started).toHaveLength(2)
  })
})

it.runIf(process.platform === 'linux')('a thread that works is told from one that waits', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
parentPort.on('message', (rounds) => { let sum = 0; for (let at = 0; at < rounds; at += 1) sum += Math.sqrt(at); parentPort.postMessage(String(sum)) })
parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'))`,
    { eval: true },
  )
  const heard = (): Promise<string> => new Promise((done) => worker.once('message', done))
  const time = threadTime(await heard())
  const before = time() ?? Number.NaN
  const done = heard()
  worker.postMessage(100_000_000)
  await done
  expect(time()).toBeGreaterThan(before + 20)
  await worker.terminate()
  expect(time()).toBeUndefined()
  expect(threadTime('')()).toBeUndefined()
})
