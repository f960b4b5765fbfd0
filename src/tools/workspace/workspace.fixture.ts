/** A workspace of a test's own, served as `mcp-serve` serves it. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { App } from '../../app/create-app.ts'
import { createWorkspaceApp, findGround, loadRules } from '../../app/workspace-start.ts'
import { loadSettings } from '../../config/index.ts'
import type { Settings } from '../../config/index.ts'
import { openDatabase } from '../../exits/disk/database.ts'
import type { AuditRow } from '../../kernel/audit.ts'
import type { Block } from '../../kernel/answer.ts'
import type { Outcome } from '../../kernel/call.ts'
import type { AgentWorld } from '../../app/agent-world.ts'
import { loadOrders } from '../../app/operator-orders.ts'
import type { Agent } from '../../kernel/ports/agent.ts'
import type { Sessions } from '../../kernel/ports/sessions.ts'
import { createSqliteSessions } from '../../services/sessions/index.ts'
import { memoryTrail } from '../../testing/index.ts'

export interface WorkspaceWorld {
  /** The workspace. */
  readonly cwd: string
  readonly dataDir: string
  readonly app: App
  readonly rows: readonly AuditRow[]
  /** Log lines so far, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  /** Writes a file below the workspace. */
  put(path: string, content: string | Uint8Array): void
  call(name: string, args?: object): Promise<Outcome>
  /** Calls `search_code`, and gives what it showed as lines. */
  search(query: string, more?: object): Promise<readonly string[]>
  /** The store that the server reads, to be written to. */
  readonly sessions: Sessions
  close(): Promise<void>
}

export interface WorldOptions {
  readonly files?: Readonly<Record<string, string>>
  readonly settings?: { readonly [Key in keyof Settings]?: unknown }
  /** Where the data directory is, from the workspace. @default outside */
  readonly dataDir?: string
  readonly openAgent?: (world: AgentWorld) => Agent & { close?(): Promise<void> }
  /** Does more to the workspace before it is served. */
  readonly plant?: (cwd: string) => void
}

const realClock = { now: () => Date.now(), ticks: () => performance.now() }

export async function openWorkspaceWorld({ files = {}, settings = {}, dataDir: within, openAgent, plant }: WorldOptions = {}): Promise<WorkspaceWorld> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-workspace-')))
  const cwd = join(base, 'repo')
  const dataDir = within === undefined ? join(base, 'data') : join(cwd, within)
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), content)
  }
  mkdirSync(cwd)
  for (const [path, content] of Object.entries(files)) put(path, content)
  plant?.(cwd)
  const [rows, lines]: [AuditRow[], Readonly<Record<string, unknown>>[]] = [[], []]
  const found = findGround(cwd, [dataDir, join(base, 'home')])
  const values = loadSettings({ file: JSON.stringify({ rateLimitEnabled: false, ...settings }) }).values
  const app = createWorkspaceApp(values, {
    dataDir, cwd: found.cwd, ground: found.ground, rules: await loadRules(found, join(base, 'home')), log: (line) => lines.push(JSON.parse(line)) > 0,
    orders: loadOrders(join(base, 'home')), ...(openAgent && { openAgent: (world: AgentWorld) => ({ close: async () => {}, ...openAgent(world) }) }), replace: { clock: realClock, trail: memoryTrail(rows) },
  })
  const sessions = createSqliteSessions(() => openDatabase(join(dataDir, 'sessions.sqlite')), realClock)
  const call = async (name: string, args: object = {}): Promise<Outcome> => app.dispatch({ kind: 'tool', name, args }, app.local, { door: 'stdio' })
  while (!(await isIndexed(call))) await new Promise((resolve) => setTimeout(resolve, 20))
  rows.length = 0
  return {
    cwd, dataDir, app, rows, lines, put, call,
    sessions: { ...sessions, open: (_workspace, title) => sessions.open(found.cwd, title), append: (_workspace, id, entry) => sessions.append(found.cwd, id, entry) },
    search: async (query, more = {}) => shownIn(await call('search_code', { query, ...more })),
    async close() {
      await app.close()
      sessions.close()
      rmSync(base, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Whether the whole tree was seen; where nobody may ask, nobody waits. */
async function isIndexed(call: WorkspaceWorld['call']): Promise<boolean> {
  const outcome = await call('search_code', { query: 'x' })
  return outcome.is !== 'ok' || !String(outcome.answer.value['index']).startsWith('building')
}

/** The lines between the fences. @throws Error for an outcome that is no answer. */
function shownIn(outcome: Outcome): readonly string[] {
  if (outcome.is !== 'ok') throw new Error(JSON.stringify(outcome))
  const text = outcome.answer.blocks.map((block: Block) => (block.type === 'text' ? block.text : '')).join('\n')
  const lines = text.split('\n').filter((line) => !/^<<(?:data|end) /.test(line))
  return lines[0] === 'no matches' ? [] : lines
}
