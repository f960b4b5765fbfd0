/**
 * Two workspaces that differ in nothing but the contents that are withheld look alike to an assistant that calls whatever
 * it likes; and of planted secrets it sees nothing.
 */

import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { NO_OPERATOR_ORDERS } from '../../src/app/operator-orders.ts'
import { openWorkspaceAgent } from '../../src/app/workspace-agent.ts'
import { answer, choose, scriptedChat } from '../../src/testing/index.ts'
import { openWorkspaceWorld } from '../../src/tools/workspace/workspace.fixture.ts'
import { CREDENTIAL_NAMES, PLANTED } from './planted-secrets.ts'

const HIDDEN_WORD = 'canaryxq'

function dice(seed: number): <T>(from: readonly T[]) => T {
  let state = seed
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from[Math.floor((state / 2 ** 32) * from.length)] as never
  }
}

const OPEN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PLANTED.map(({ text }, at) => [`src/s${at}.ts`, `// needle token\nexport const needleToken${at} = ${text}\nexport function readFolder${at}(password: string) {\n  return ${text}\n}\n`])),
  'src/a.ts': '// zebra\nexport class NeedleSession {}\n', 'denied/open.md': 'zebra\n',
  '.arrowhead/config.json': JSON.stringify({ permissions: [{ tool: 'read', action: 'deny', path: 'denied/**' }] }),
}
const HIDDEN = Object.fromEntries(CREDENTIAL_NAMES.map((path, at) => [path, `${HIDDEN_WORD} needle token zebra\nexport const x${at} = ${PLANTED[at % PLANTED.length]?.text}\n`]))
const FOLDERS = [...new Set(CREDENTIAL_NAMES.map((path) => dirname(path)))]

const PATHS = [...Object.keys(OPEN), ...CREDENTIAL_NAMES, ...FOLDERS, '.', 'src', 'nothing', './src/../.env', 'src/../keys/id_ed25519', '.ENV', 'data', '..', '/etc/passwd']
const QUERIES = ['needle', 'token', HIDDEN_WORD, 'zebra', 'ghp_', 'BEGIN', 'PRIVATE KEY', 'password', '=', 'AKIA', 'a', '-----']
const PATTERNS = ['**', '*.ts', '.env*', '*.pem', 'keys/*', '**/id_*', '[.]env', '?env', 'src/**', '*']

type Draw = ReturnType<typeof dice>

function drawCall(draw: Draw): readonly [string, object] {
  const [tool, path] = [draw(['read', 'read', 'read', 'grep', 'grep', 'glob', 'ls']), draw(PATHS)]
  if (tool === 'read') return [tool, { path, from_line: draw([1, 1, 2, 3, 4, 5, 8]), max_lines: draw([1, 2, 3, 2_000]) }]
  if (tool === 'grep') return [tool, { path, query: draw([...QUERIES, ...PLANTED.map(({ parts }) => (parts[0] ?? '').slice(0, draw([1, 4, 8])) || 'x')]), max_results: draw([1, 5, 200]), ...draw([{}, { glob: draw(PATTERNS) }]) }]
  return tool === 'glob' ? [tool, { path, pattern: draw(PATTERNS), max_results: draw([1, 3, 1_000]) }] : [tool, { path }]
}

/** Runs the calls in one run. @returns what the model was told, without what chance put into it, and what the peer was. */
async function told(isHiding: boolean, calls: readonly (readonly [string, object])[]): Promise<{ readonly told: readonly string[]; readonly heard: readonly string[] }> {
  const model = scriptedChat([...calls.map(([tool, args]) => choose(tool, args)), answer('done')], { maxPromptChars: 200_000 })
  const world = await openWorkspaceWorld({
    files: { ...OPEN, ...(isHiding && HIDDEN) }, dataDir: 'data', settings: { assistantToolCalling: 'json' },
    plant(cwd) {
      for (const folder of FOLDERS) mkdirSync(join(cwd, folder), { recursive: true })
    },
    openAgent: (given) => openWorkspaceAgent({ ...given, model, orders: NO_OPERATOR_ORDERS }, { mode: 'plan', maxTurns: calls.length + 2, maxCost: undefined, dryRun: false }),
  })
  try {
    const outcome = await world.call('ask_arrowhead', { prompt: 'go' })
    const results = model.asked.slice(1).map(({ messages }) => messages.at(-1)?.content ?? '')
    const plain = results.map((text) => text.replace(/<<(?:data|end) [\w-]+>>/g, '<<>>').replace(/incident [\w-]+/g, ''))
    return { told: plain, heard: [JSON.stringify(outcome), ...world.lines.map((line) => JSON.stringify(line))] }
  } finally {
    await world.close()
    rmSync(world.cwd, { recursive: true, force: true })
  }
}

/** @param calls of the assistant, in runs of at most 400. */
export async function agentDisclosesNothing(calls: number): Promise<void> {
  const draw = dice(20_262)
  const parts = PLANTED.flatMap((planted) => planted.parts)
  const leak = (text: string): string | undefined => (text.includes(HIDDEN_WORD) ? HIDDEN_WORD : parts.find((part) => text.includes(part)))
  for (let left = calls; left > 0; left -= 400) {
    const drawn = new Map(Array.from({ length: Math.min(left, 400) }, () => drawCall(draw)).map((call) => [JSON.stringify(call), call] as const))
    const list = [...drawn.values()]
    const [one, other] = [await told(true, list), await told(false, list)]
    expect(one.told).toHaveLength(list.length)
    for (const [at, text] of one.told.entries()) {
      if (text !== other.told[at]) expect([list[at], text]).toEqual([list[at], other.told[at]])
      if (leak(text) !== undefined) expect([list[at], text]).toEqual('nothing of a secret')
    }
    expect([...one.heard, ...other.heard].filter((line) => leak(line) !== undefined)).toEqual([])
  }
}
