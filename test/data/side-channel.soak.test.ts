import { expect, it } from 'vitest'
import { sideChannelRounds } from './side-channel.ts'
import { openDataWorld } from './world.ts'

/** Enough for an index of their own. */
const ROWS = 2200

it('2,000 queries tell nobody whether another tenant stored close neighbours: not by hits, scores or counts, and not by time', async () => {
  const world = await openDataWorld({ pgvectorCollections: ['near_chunks', 'far_chunks'] })
  try {
    const { answersDiffer, timeP } = await sideChannelRounds(world, { queries: 2000, rows: ROWS })
    expect((await world.database.query({ sql: "select exists (select arrowhead.search_indexes_of(arrowhead.part_of('near_chunks', 'spy')))" }, { role: 'owner' })).rows).toEqual([['t']])
    console.log(`side channel: ${answersDiffer} answers differ, time p = ${timeP.toFixed(3)}`)
    expect(answersDiffer).toBe(0)
    expect(timeP).toBeGreaterThan(0.001)
  } finally {
    await world.close()
  }
})
