/** The worlds that proofs run in: a real app with in-memory ports, whole or with one row of its chain taken out. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/create-app.ts'
import { createDispatch } from '../../src/app/dispatch.ts'
import { loadSettings } from '../../src/config/index.ts'
import { chain } from '../../src/guard/chain.ts'
import type { GuardDeps } from '../../src/guard/deps.ts'
import type { Chain, Step } from '../../src/guard/run.ts'
import type { AuditRow } from '../../src/kernel/audit.ts'
import type { Arrival, Outcome, Request } from '../../src/kernel/call.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import { refusal } from '../../src/kernel/refusal.ts'
import { memoryCorpus, memoryTrail, page, testClock } from '../../src/testing/index.ts'
import type { TestClock, TestWorld } from '../../src/testing/index.ts'

type Line = Readonly<Record<string, unknown>>

export interface OpenWorld {
  readonly app: App
  readonly clock: TestClock
  readonly rows: readonly AuditRow[]
  readonly lines: readonly Line[]
  call(name: string, args?: unknown, as?: Caller): Promise<Outcome>
  dispatch(request: Request, as?: Caller, arrival?: Arrival): Promise<Outcome>
}

export interface World {
  /** An app over in-memory files and pages; closed when the proof ends. */
  open(setup?: TestWorld): OpenWorld
  /** An empty folder; removed when the proof ends. */
  folder(): string
  /** Runs when the proof ends, newest first. */
  later(work: () => unknown): void
}

/** Runs a proof in a world whose chain lacks `row`, if one is named. */
export async function inWorld(proof: (world: World) => unknown, row?: string): Promise<void> {
  const atEnd: (() => unknown)[] = []
  const later = (work: () => unknown): void => void atEnd.push(work)
  const world: World = {
    later,
    open(setup = {}) {
      const opened = openWorld(setup, row === undefined ? chain : without(row))
      later(() => opened.app.close())
      return opened
    },
    folder() {
      const path = mkdtempSync(join(tmpdir(), 'arrowhead-proof-'))
      later(() => rmSync(path, { recursive: true, force: true }))
      return path
    },
  }
  try {
    await proof(world)
  } finally {
    for (const work of atEnd.reverse()) await work()
  }
}

function openWorld({ files = {}, web = {}, documents = {}, settings = {}, options = {}, as }: TestWorld, rows: Chain<GuardDeps>): OpenWorld {
  const [recorded, lines]: [AuditRow[], Line[]] = [[], []]
  const clock = testClock()
  const { replace = {}, ...rest } = options
  const { deps, ...assembled } = assemble(loadSettings({ file: JSON.stringify(settings) }).values, {
    log: (line) => lines.push(JSON.parse(line)) > 0,
    ...rest,
    replace: {
      clock, trail: memoryTrail(recorded), ...replace,
      services: {
        corpus: memoryCorpus(documents),
        files: { text: async (path) => files[path] ?? lost() },
        egress: { get: async (url) => page(url, web[url] ?? lost()) },
        ...replace.services,
      },
    },
  })
  const dispatch = createDispatch({ registry: assembled.registry, deps, chain: rows, settings: assembled.settings })
  const app = { ...assembled, dispatch }
  const me = as ? app.callerOf(as.subject, as.scopes) : app.local
  const ask: OpenWorld['dispatch'] = async (request, caller = me, arrival = { door: 'library' }) => dispatch(request, caller, arrival)
  return { app, clock, rows: recorded, lines, dispatch: ask, call: (name, args = {}, caller = me) => ask({ kind: 'tool', name, args }, caller) }
}

const lost = (): never => {
  throw refusal('file.unavailable')
}

/** Names of the chain's guards, in its order. */
export const rowNames = (): readonly string[] => [...chain.watch, ...chain.admit, ...chain.release].map(({ guard }) => guard.name)

function without(row: string): Chain<GuardDeps> {
  if (!rowNames().includes(row)) throw new Error(`the chain has no row ${row}`)
  const others = <Guard extends { readonly name: string }>(steps: readonly Step<Guard, GuardDeps>[]): readonly Step<Guard, GuardDeps>[] =>
    steps.filter(({ guard }) => guard.name !== row)
  return { watch: others(chain.watch), admit: others(chain.admit), release: others(chain.release) }
}
