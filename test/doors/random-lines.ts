/** Feeds hostile lines to a stdio door and holds it to its promises after each. */

import fc from 'fast-check'
import { expect } from 'vitest'
import { REFUSALS } from '../../src/kernel/refusal.ts'
import { answersTo, hostileLine } from './hostile-lines.ts'
import { openLegacy } from './stdio-pipe.ts'
import type { Frame } from './stdio-pipe.ts'
import { openWorld } from './world.ts'

const CODES = new Set(Object.keys(REFUSALS))

/** Every refusal opens with its code; a fault is the only other error. */
function isClear({ error, result }: Frame): boolean {
  if (error === undefined) return result !== undefined
  const { code, message } = error as { code: unknown; message: unknown }
  return Number.isInteger(code) && typeof message === 'string' && CODES.has(message.slice(0, message.indexOf(':')))
}

/** @throws when a line is not answered as it must be, leaves other than one record, or silences the door. */
export async function feedHostileLines(count: number, hotLane: boolean): Promise<void> {
  const { house, rows } = openWorld({ settings: { hotLane, unknownPerMinute: 1_000_000, listingPerMinute: 1_000_000, resourceReadPerMinute: 1_000_000, promptGetPerMinute: 1_000_000, completionPerMinute: 1_000_000 } })
  const pipe = await openLegacy(house.app)
  await pipe.ask('ping')
  let turn = 0
  const property = fc.asyncProperty(hostileLine, async (line) => {
    const [heard, kept] = [pipe.frames.length, rows.length]
    const expected = answersTo(line)
    turn += 1
    const alive = `alive-${turn}`
    pipe.write(Buffer.concat([line, Buffer.from(`\n${JSON.stringify({ jsonrpc: '2.0', id: alive, method: 'ping' })}\n`)]))
    await pipe.frame(({ id }) => id === alive)
    const answers = (): readonly Frame[] => pipe.frames.slice(heard).filter(({ id, method }) => id !== alive && method === undefined)
    // A call may be answered after the ping that followed it.
    for (let turns = 0; turns < 1_000 && answers().length < expected.least; turns += 1) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(answers().length).toBeGreaterThanOrEqual(expected.least)
    expect(answers().length).toBeLessThanOrEqual(expected.most)
    expect(answers().filter((frame) => !isClear(frame))).toEqual([])
    expect(rows.slice(kept)).toHaveLength(expected.blank ? 1 : 2)
    expect(rows.slice(kept).some(({ outcome }) => outcome === 'fault')).toBe(false)
  })
  await fc.assert(property, { numRuns: count, endOnFailure: true })
}
