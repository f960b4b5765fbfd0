/** Kills servers in the middle of their work and looks at what they leave. */

import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { makePlace, run, startServer } from './child.ts'
import type { Place } from './child.ts'

const CALLS = 500
const CALL = ['tools', 'call', 'calculate', '{"expression":"6 * 7"}'] as const

/** Starts a server, asks without waiting, and kills it up to 40 ms after so many answers. */
async function killAfter(answers: number, place: Place): Promise<void> {
  const server = await startServer(place, { ARROWHEAD_CALCULATE_PER_MINUTE: '1000000', ARROWHEAD_AUDIT_FLUSH_MS: '1' })
  let reached = (): void => {}
  let answered = 0
  const enough = new Promise<void>((resolve) => void (reached = resolve))
  const count = (): void => void (++answered >= answers && reached())
  const calls = Array.from({ length: CALLS }, (_, id) => server.call(id, 'calculate', { expression: `${id} + 1` }).then(count, () => {}))
  if (answers > 0) await enough
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
  server.child.kill('SIGKILL')
  await Promise.all([server.exited, ...calls])
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
    for (let round = 0; round < rounds; round += 1) {
      await killAfter(1 + Math.floor(Math.random() * CALLS), place)
      await expectWhole(place)
    }
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
      await killAfter(0, place)
      expect(await run(place, CALL)).toMatchObject({ code: 0, err: '' })
      await expectWhole(place)
    } finally {
      place.remove()
    }
  }
}
