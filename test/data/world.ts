/** The data family over a real embedded database and documents in memory, behind the whole chain. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDataServices } from '../../src/app/data.ts'
import { loadSettings } from '../../src/config/index.ts'
import type { Outcome } from '../../src/kernel/call.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import { refusal } from '../../src/kernel/refusal.ts'
import type { Database } from '../../src/kernel/ports/database.ts'
import type { Vectors } from '../../src/kernel/ports/vectors.ts'
import { testTemplate } from '../../src/services/database/template.fixture.ts'
import { testApp } from '../../src/testing/index.ts'
import type { TestApp } from '../../src/testing/index.ts'
import { canonical } from '../../src/tools/docs/document.ts'

export interface Document {
  readonly text: string | Uint8Array
  readonly modifiedMs?: number
}

export interface DataWorld {
  /** What the corpus holds; change it as the world would. */
  readonly documents: Map<string, Document>
  readonly database: Database
  readonly vectors: Vectors
  readonly test: TestApp
  caller(subject: string): Caller
  call(name: string, args: unknown, as?: Caller): Promise<Outcome>
  /** The answer of a call that must succeed. */
  value(name: string, args: unknown, as?: Caller): Promise<Readonly<Record<string, unknown>>>
  /** The same database with other settings. Ends with the world. */
  again(settings: object): Promise<DataWorld>
  close(): Promise<void>
}

const GRANTS = JSON.stringify({ grants: [{ subject: '*', actions: ['query', 'ingest'], kinds: ['table'], prefix: '' }, { subject: '*', actions: ['read'], prefix: '' }] })
const SCOPES = ['vector:search', 'vector:write', 'sql:read']

export async function openDataWorld(settings: object = {}): Promise<DataWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-data-'))
  const opened: (() => Promise<void>)[] = []
  const documents = new Map<string, Document>()
  const template = await testTemplate()
  const open = async (more: object): Promise<DataWorld> => {
    const all = { rateLimitEnabled: false, embeddingDimensions: 64, authzPolicy: GRANTS, ...settings, ...more }
    const { values } = loadSettings({ file: JSON.stringify(all) })
    const clock = { now: () => Date.now(), ticks: () => performance.now() }
    const data = createDataServices(values, { clock, folder, documents: inMemory(documents), template })
    opened.push(data.close)
    const test = testApp({ settings: all, options: { replace: { services: { vectors: data.vectors } } } })
    const caller = (subject: string): Caller => test.app.callerOf(subject, SCOPES)
    const call = (name: string, args: unknown, as = caller('acme')): Promise<Outcome> => test.call(name, args, as)
    return {
      documents, database: data.database, vectors: data.vectors, test, caller, call, again: open,
      async value(name, args, as) {
        const outcome = await call(name, args, as)
        if (outcome.is !== 'ok') throw new Error(`${name} was not answered: ${JSON.stringify(outcome)}${test.lines.map((line) => JSON.stringify(line)).filter((line) => line.includes('fault')).join('\n')}`)
        return outcome.answer.value
      },
      async close() {
        for (const close of opened.reverse()) await close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  }
  return open({})
}

const inMemory = (documents: ReadonlyMap<string, Document>) => ({
  async *list(prefix: string) {
    const start = canonical(prefix)
    const paths = [...documents.keys()].filter((path) => path.startsWith(start)).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    for (const path of paths) {
      const { text = '', modifiedMs = 1000 } = documents.get(path) ?? {}
      yield { path, modifiedMs, read: () => (typeof text === 'string' ? new TextEncoder().encode(text) : text) }
    }
  },
  async stat(path: string) {
    const found = documents.get(path)
    if (!found) throw refusal('file.unavailable')
    return { modifiedMs: found.modifiedMs ?? 1000 }
  },
})

export interface Hit {
  readonly source: string | null
  readonly chunk_index: number
  readonly start_line: number
  readonly end_line: number
  readonly score: number
  readonly indexed_at: string
  readonly stale: boolean | null
}

export const hitsIn = (value: Readonly<Record<string, unknown>>): readonly Hit[] => (value['metadata'] as { hits: readonly Hit[] }).hits
export const refusedAs = (code: string) => ({ is: 'refused', refusal: { code } })
