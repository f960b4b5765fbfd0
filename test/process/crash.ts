/** Kills servers in the middle of their work and looks at what they leave. */

import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { makePlace, run, startServer } from './child.ts'
import type { Place } from './child.ts'

/** The widest span between the first call and the kill; long enough for several batches to be written. */
const SPAN_MS = 120
const CALL = ['tools', 'call', 'calculate', '{"expression":"6 * 7"}'] as const

/** Starts a server, asks without waiting, and kills it at a random moment. @returns how many calls were answered. */
async function killInTheMiddle(place: Place): Promise<number> {
  let answered = 0
  const server = await startServer(place, { ARROWHEAD_CALCULATE_PER_MINUTE: '1000000', ARROWHEAD_AUDIT_FLUSH_MS: '1' })
  const calls = Array.from({ length: 500 }, (_, id) => server.call(id, 'calculate', { expression: `${id} + 1` }).then(() => void (answered += 1), () => {}))
  await new Promise((resolve) => setTimeout(resolve, Math.random() * SPAN_MS))
  server.child.kill('SIGKILL')
  await Promise.all([server.exited, ...calls])
  return answered
}

async function expectWhole(place: Place): Promise<void> {
  const verdict = await run(place, ['audit', 'verify'])
  expect(verdict).toMatchObject({ code: 0, err: '' })
  expect(verdict.out).toMatch(/^whole: [1-9]\d* rows/)
  expect(readdirSync(place.dataDir).filter((name) => /lock/i.test(name))).toEqual([])
}

/** Rounds on one data directory. @throws when the trail is not whole, a lock is left, or the next start does not work. */
export async function crashRounds(rounds: number): Promise<void> {
  const place = makePlace()
  try {
    await run(place, CALL)
    let answered = 0
    for (let round = 0; round < rounds; round += 1) {
      answered += await killInTheMiddle(place)
      await expectWhole(place)
    }
    expect(answered).toBeGreaterThan(0)
    expect(await run(place, CALL)).toMatchObject({ code: 0, err: '' })
    expect((await run(place, ['doctor'])).out).toContain('the audit trail is whole')
  } finally {
    place.remove()
  }
}

/** Rounds that each begin with nothing, so that the databases themselves are being made. */
export async function firstStartRounds(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const place = makePlace()
    try {
      await killInTheMiddle(place)
      expect(await run(place, CALL)).toMatchObject({ code: 0, err: '' })
      await expectWhole(place)
    } finally {
      place.remove()
    }
  }
}
