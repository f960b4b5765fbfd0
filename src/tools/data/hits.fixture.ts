/** A world whose collections give what a test says, and remember what they were asked. */

import type { Found, Vectors } from '../../kernel/ports/vectors.ts'
import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'

export interface AskedWorld extends TestApp {
  readonly asked: Readonly<Record<string, unknown>>[]
}

const HIT = { source: 'a.md', chunkIndex: 2, startLine: 5, endLine: 9, content: 'A passage.', score: 0.5, indexedAt: '2026-01-02T03:04:05.000Z', stale: false }

export const FOUND: Found = { hits: [HIT], truncated: false }

export function askedWorld({ semantic = true, found = FOUND, settings = {}, subject = 'acme' } = {}): AskedWorld {
  const asked: Readonly<Record<string, unknown>>[] = []
  const answer = (how: string) => async ({ signal: _signal, ...wanted }: object & { signal: AbortSignal }): Promise<Found> => {
    asked.push({ how, ...wanted })
    return found
  }
  const vectors: Vectors = {
    recall: { label: 'a-model:3', semantic, dimensions: 3 },
    near: answer('near'), alike: answer('alike'), fused: answer('fused'),
    async index({ collection, tenant, prefix, progress, mayRead }) {
      asked.push({ how: 'index', collection, tenant, prefix, mayRead: [await mayRead('open.md'), await mayRead('hr/pay.md')] })
      progress(1, 2, 'half')
      return { filesIndexed: 1, chunksWritten: 0, chunksReused: 2, chunksRemoved: 0, truncated: false }
    },
  }
  const as = { subject, scopes: ['vector:search', 'vector:write'] }
  return { ...testApp({ as, settings, options: { replace: { services: { vectors } } } }), asked }
}
