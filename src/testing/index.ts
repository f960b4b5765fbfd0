/**
 * A real app with an in-memory world, for tests of tools and policies. There is no way to run a tool
 * around the guards, here or anywhere.
 */

import { createApp } from '../app/create-app.ts'
import type { App } from '../app/create-app.ts'
import type { AppOptions } from '../app/ports.ts'
import { loadSettings } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { AuditRow, AuditTrail } from '../kernel/audit.ts'
import type { Outcome, Request } from '../kernel/call.ts'
import type { Caller, Door } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Webhooks } from '../kernel/ports/notify.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Vectors } from '../kernel/ports/vectors.ts'
import type { Egress, Fetched, Files } from '../kernel/services.ts'
import { memoryCorpus } from './memory-corpus.ts'
import { scratchFolder } from './scratch-folder.ts'

export { memoryCorpus } from './memory-corpus.ts'

export { answer, choose, scriptedChat } from './scripted-chat.ts'
export type { Scripted, ScriptedChat } from './scripted-chat.ts'
export { scriptedModel } from './scripted-model.ts'
export type { ScriptedModel } from './scripted-model.ts'

export interface TestWorld {
  /** Files below the served folder, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Documents of the corpus, by path. */
  readonly documents?: Readonly<Record<string, string>>
  /** Pages of the network, by URL; what is posted there is answered with them too. */
  readonly web?: Readonly<Record<string, string>>
  /** Settings as a config file spells them. */
  readonly settings?: { readonly [Key in keyof Settings]?: unknown }
  /** Who calls, unless a call says otherwise. @default the local caller */
  readonly as?: { readonly subject: string; readonly scopes: Iterable<string> }
  readonly options?: AppOptions
}

export interface TestApp {
  readonly app: App
  readonly clock: TestClock
  /** The audit rows so far, oldest first. */
  readonly rows: readonly AuditRow[]
  /** The log lines so far, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  readonly me: Caller
  call(name: string, args?: unknown, as?: Caller, door?: Door): Promise<Outcome>
  dispatch(request: Request, as?: Caller): Promise<Outcome>
}

/** A clock that stands still until it is told to go on. */
export interface TestClock extends Clock {
  pass(ms: number): void
}

export function testClock(startMs = 1_700_000_000_000): TestClock {
  let passed = 0
  return { now: () => startMs + passed, ticks: () => passed, pass: (ms) => void (passed += ms) }
}

/** A trail in memory: what was recorded is in `rows`. */
export function memoryTrail(rows: AuditRow[] = []): AuditTrail & { readonly rows: readonly AuditRow[] } {
  return {
    rows,
    append: (row) => void rows.push(row),
    write: async (row) => void rows.push(row),
    head: () => undefined,
    flush: async () => {},
    close: async () => {},
  }
}

/** A page of plain text as the network exit gives it. */
export const page = (url: string, body: string, contentType = 'text/plain'): Fetched =>
  ({ status: 200, contentType, body, bytes: new TextEncoder().encode(body), finalUrl: url })

export function testApp(world: TestWorld = {}): TestApp {
  const { files: texts = {}, web = {}, documents = {}, settings = {}, options = {} } = world
  const rows: AuditRow[] = []
  const lines: Readonly<Record<string, unknown>>[] = []
  const clock = testClock()
  const files: Files = { text: async (path) => own(texts, path) ?? lost('file.unavailable') }
  const egress: Egress = {
    get: async (url) => page(url, own(web, url) ?? lost('egress.unreachable')),
  }
  const webhooks: Webhooks = {
    post: async (url) => ({ status: 200, response: own(web, url) ?? lost('egress.unreachable'), truncated: false }),
  }
  const { replace = {}, ...rest } = options
  const app = createApp(loadSettings({ file: JSON.stringify({ memoryRoot: scratchFolder('memory'), ...settings }) }).values, {
    log: (line) => lines.push(JSON.parse(line)) > 0,
    ...rest,
    replace: { clock, trail: memoryTrail(rows), ...replace, services: { files, egress, corpus: memoryCorpus(documents), vectors: NO_VECTORS, webhooks, ...replace.services } },
  })
  const me = world.as ? app.callerOf(world.as.subject, world.as.scopes) : app.local
  const dispatch = async (request: Request, as = me, door: Door = 'library') => app.dispatch(request, as, { door })
  return { app, clock, rows, lines, me, dispatch, call: (name, args = {}, as = me, door = 'library') => dispatch({ kind: 'tool', name, args }, as, door) }
}

/** A name that every object inherits names nothing here. */
const own = (texts: Readonly<Record<string, string>>, name: string): string | undefined => (Object.hasOwn(texts, name) ? texts[name] : undefined)

/** Collections without a chunk in them. */
const NO_VECTORS: Vectors = {
  recall: { label: 'none', semantic: false, dimensions: 3 },
  near: async () => ({ hits: [], truncated: false }),
  alike: async () => ({ hits: [], truncated: false }),
  fused: async () => ({ hits: [], truncated: false }),
  index: async () => ({ filesIndexed: 0, chunksWritten: 0, chunksReused: 0, chunksRemoved: 0, truncated: false }),
}

const lost = (code: 'file.unavailable' | 'egress.unreachable'): never => {
  throw refusal(code)
}
