/** Faults of the way to a bucket: each write ends in success or a clear refusal, what was acknowledged is there whole, and the sum is exact. */

import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/kernel/refusal.ts'
import { bytesOf, pathsOf, realUse, textOf } from '../adapters/corpus.contract.ts'
import { openBucket } from '../adapters/s3-place.ts'
import { openTcpGate } from '../adapters/tcp-gate.ts'

const S3 = process.env['ARROWHEAD_TEST_S3']
if (S3 === undefined) {
  describe('faults of a bucket', () => {
    it.skip('are tested where ARROWHEAD_TEST_S3 names an S3-speaking server (scripts/test-services.sh start s3)', () => {})
  })
} else describe('faults of a bucket', () => tests(S3))

/** When a hold that nobody ended is judged. */
const HOLD_MS = 60_000

function tests(server: string): void {
  it('writers lose nothing while the way is cut, stalled and slow', async () => {
    const gate = await openTcpGate(server)
    const bucket = await openBucket(server, gate.url.replace(/\/$/, ''))
    let offsetMs = 0
    const clock = { now: () => Date.now() + offsetMs }
    const corpora = [bucket.open({ clock }), bucket.open({ clock })]
    const [kept, refused]: [Map<string, string>, unknown[]] = [new Map(), []]
    let ended = 0
    await Promise.all(corpora.map(async (corpus, writer) => {
      for (let n = 0; n < 30; n += 1) {
        const [path, text] = [`${writer}-${n}.md`, `text ${writer} ${n} `.repeat(1 + n)]
        await corpus.write(path, bytesOf(text), { overwrite: false }).then(() => kept.set(path, text), (error: unknown) => refused.push(error))
        ended += 1
        if (ended % 11 === 3) await gate.cut()
        if (ended % 11 === 5 || ended % 11 === 9) await gate.restore()
        if (ended % 11 === 7) gate.slow(30)
      }
    }))
    await gate.restore()
    expect(kept.size).toBeGreaterThan(10)
    expect(refused.filter((error) => !(error instanceof Refusal) || (error.code !== 'corpus.unavailable' && error.code !== 'file.exists'))).toEqual([])
    for (const [path, text] of kept) expect(textOf((await corpora[0]?.read(path))?.bytes ?? new Uint8Array())).toBe(text)
    // What may have been written and was not acknowledged is counted all the same, once its hold is over.
    offsetMs = HOLD_MS + 1_000
    const fresh = bucket.open({ clock })
    expect((await fresh.usage()).usedBytes).toBe(await realUse(fresh))
    expect((await pathsOf(fresh)).length).toBeGreaterThanOrEqual(kept.size)
    for (const corpus of [...corpora, fresh]) await corpus.close()
    await bucket.remove()
    await gate.close()
  })
}
