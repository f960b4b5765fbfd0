/**
 * Tries to tell whether another tenant stored close neighbours of a query: the same tenant with the same rows asks two
 * collections, in one of which the other's rows lie around every query and in the other far away.
 */

import type { SqlInput } from '../../src/kernel/ports/database.ts'
import type { DataWorld } from './world.ts'
import { hitsIn } from './world.ts'

export interface SideChannel {
  /** Queries whose hits, scores or counts were not the same in both. */
  readonly answersDiffer: number
  /** Probability of a difference in time at least as large as the one seen, were there none (Mann-Whitney, two-sided). */
  readonly timeP: number
}

const DIMENSIONS = 64

export async function sideChannelRounds(world: DataWorld, { queries, rows }: { readonly queries: number; readonly rows: number }): Promise<SideChannel> {
  const random = seeded(7)
  const vector = (): number[] => Array.from({ length: DIMENSIONS }, () => random() - 0.5)
  const asked = Array.from({ length: 20 }, vector)
  const own = Array.from({ length: rows }, vector)
  const close = Array.from({ length: rows }, (_, at) => (asked[at % asked.length] ?? []).map((number) => number + (random() - 0.5) / 1000))
  const far = close.map((one) => one.map((number) => -number))
  await fill(world, 'near_chunks', { spy: own, other: close })
  await fill(world, 'far_chunks', { spy: own, other: far })
  const times: Record<string, number[]> = { near_chunks: [], far_chunks: [] }
  let answersDiffer = 0
  for (let round = 0; round < queries; round += 1) {
    const embedding = asked[round % asked.length]
    const order = random() < 0.5 ? ['near_chunks', 'far_chunks'] : ['far_chunks', 'near_chunks']
    const answers: string[] = []
    for (const collection of order) {
      const start = performance.now()
      const value = await world.value('vector_search', { collection, embedding, k: 10 }, world.caller('spy'))
      times[collection]?.push(performance.now() - start)
      answers.push(JSON.stringify(hitsIn(value).map(({ source, score }) => [source, score])))
    }
    if (answers[0] !== answers[1]) answersDiffer += 1
  }
  return { answersDiffer, timeP: mannWhitney(times['near_chunks'] ?? [], times['far_chunks'] ?? []) }
}

async function fill(world: DataWorld, collection: string, tenants: Readonly<Record<string, readonly (readonly number[])[]>>): Promise<void> {
  await world.value('vector_search', { collection, embedding: new Array(DIMENSIONS).fill(1) }, world.caller('spy'))
  for (const [tenant, vectors] of Object.entries(tenants)) {
    const values: readonly SqlInput[] = [tenant, vectors.map((_, at) => String(at)), vectors.map((one) => JSON.stringify(one))]
    await world.database.transaction([
      { sql: 'select arrowhead.open_tenant($1, $2)', values: [collection, tenant] },
      { sql: `insert into arrowhead.${collection} (tenant, id, content, embedding, source, chunk_index, content_hash)
select $1, n.id, 'row ' || n.id, n.v::vector, n.id, 0, n.id from unnest($2::text[], $3::text[]) as n (id, v)`, values },
      { sql: 'select arrowhead.settle_tenant($1, $2, $3::bigint)', values: [collection, tenant, vectors.length] },
    ], { role: 'writer', timeoutMs: 120_000 })
  }
}

function seeded(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Normal approximation, which is good for samples of this size. */
export function mannWhitney(first: readonly number[], second: readonly number[]): number {
  const all = [...first.map((value) => ({ value, own: true })), ...second.map((value) => ({ value, own: false }))].sort((a, b) => a.value - b.value)
  const rankSum = all.reduce((sum, { own }, index) => (own ? sum + index + 1 : sum), 0)
  const [n, m] = [first.length, second.length]
  const u = rankSum - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return 2 * (1 - normal(z))
}

/** Abramowitz and Stegun 26.2.17. */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}
