/**
 * Two workspaces that differ in nothing but what is hidden answer alike, whatever is asked; and of planted secrets
 * nothing is seen in any answer, log line or transcript.
 */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { indexFile } from '../../src/app/workspace.ts'
import type { Outcome } from '../../src/kernel/call.ts'
import { createCodeIndex } from '../../src/services/code-index/index.ts'
import { openWorkspaceWorld } from '../../src/tools/workspace/workspace.fixture.ts'
import type { WorkspaceWorld } from '../../src/tools/workspace/workspace.fixture.ts'
import { CREDENTIAL_NAMES, PLANTED } from './planted-secrets.ts'

const HIDDEN_WORD = 'canaryxq'
const WORDS = ['needle', 'token', 'password', 'read', 'folder', 'session', HIDDEN_WORD, 'secret', 'key', 'zebra', 'config', 'ghp', 'BEGIN', 'AKIA', 'id_rsa', '.env', 'needl', 'tokne']
const PATHS = ['', 'src', 'src/a.ts', 'denied', 'denied/plain.ts', '.env', '.arrowhead', 'data', 'deep', 'deep/.arrowhead', '.ssh', 'nothing', 'src/s3.ts', './src', 'src/']
const KINDS = [undefined, 'function', 'constant', ['class', 'file'], 'heading']

/** Draws with a seed, so that both workspaces are asked the same. */
function dice(seed: number): <T>(from: readonly T[]) => T {
  let state = seed
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from[Math.floor((state / 2 ** 32) * from.length)] as never
  }
}

const RULES = JSON.stringify({ permissions: [{ tool: 'read', action: 'deny', path: 'denied/**' }] })

const shownFiles = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(PLANTED.map(({ text }, at) => [`src/s${at}.ts`, `// needle token\nexport const needleToken${at} = ${text}\nexport function readFolder${at}(password: string) {\n  return ${text}\n}\n`])),
  ...Object.fromEntries(PLANTED.slice(0, 8).map(({ text }, at) => [`docs/n${at}.md`, `# Needle ${at}\n\nUse ${text} to read the session.\n\n## Zebra ${text}\n`])),
  'src/a.ts': '// zebra\nexport class NeedleSession {\n  readFolder() {\n  }\n}\n', '.arrowhead/config.json': RULES,
})

async function world(isHiding: boolean): Promise<WorkspaceWorld> {
  const hidden = Object.fromEntries(CREDENTIAL_NAMES.map((path, at) => [path, `${HIDDEN_WORD} needle token\nexport const ${HIDDEN_WORD}${at} = ${PLANTED[at % PLANTED.length]?.text}\n`]))
  const made = await openWorkspaceWorld({ files: { ...shownFiles(), ...(isHiding && hidden) }, dataDir: 'data' })
  if (isHiding) {
    // An index that was filled by somebody who hid nothing.
    const index = createCodeIndex({ file: indexFile(made.dataDir, made.cwd), clock: { now: () => 0, ticks: () => 0 }, holdsCredentials: () => false })
    const chunk = (name: string) => ({ name, kind: 'constant', container: '', signature: `${HIDDEN_WORD} needle`, doc: 'token zebra session', body: 'needle needle password', startLine: 2, endLine: 2 })
    await index.change(CREDENTIAL_NAMES.map((path, at) => ({ path, contentHash: 'old', chunks: () => [chunk(`${HIDDEN_WORD}${at}`), chunk(`needleToken${at}`), chunk('zebra')] })))
    index.close()
  }
  for (const { text } of PLANTED) {
    const id = await made.sessions.open('', `Why does ${text} fail`)
    await made.sessions.append('', id, { kind: 'asked', text: `Why does ${text} fail?`, at: 0 })
    await made.sessions.append('', id, { kind: 'called', tool: 'grep', at: 1 })
    await made.sessions.append('', id, { kind: 'answered', text: `Because ${text} is old.`, at: 2 })
  }
  return made
}

/** The outcome without what chance and time put into it. */
const plain = (outcome: Outcome): string =>
  (outcome.is === 'ok' ? JSON.stringify([outcome.answer.value, outcome.answer.blocks]) : JSON.stringify(outcome))
    .replace(/<<(?:data|end) [\w-]+>>/g, '<<>>').replace(/"index":"[^"]*"/, '').replace(/"(?:id|session_id)":"[\w-]+"/g, '').replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '')

function drawCall(draw: ReturnType<typeof dice>): readonly [string, object] {
  const name = draw(['search_code', 'search_code', 'search_code', 'search_code', 'list_sessions', 'read_session', 'no_such_tool'])
  if (name === 'list_sessions') return [name, { limit: draw([1, 5, 100]) }]
  if (name !== 'search_code') return [name, { session_id: draw(['x', '..', 'SESSION']), limit: draw([1, 10]) }]
  const query = [draw(WORDS), ...draw([[], [draw(WORDS)], [draw(WORDS), draw(WORDS)]])].join(draw([' ', '_', '']))
  const kind = draw(KINDS)
  return [name, { query, path: draw(PATHS), limit: draw([1, 2, 5, 20, 50]), detail: draw(['signatures', 'snippets']), ...(kind !== undefined && { kind }) }]
}

/** What the operator is told. */
const withheldIn = ({ lines }: WorkspaceWorld): number => lines.reduce((sum, { event, files }) => sum + (event === 'withheld' ? Number(files) : 0), 0)

/** @param calls put to the two workspaces together. */
export async function disclosesNothing(calls: number): Promise<void> {
  const [hiding, bare] = [await world(true), await world(false)]
  const parts = PLANTED.flatMap((planted) => planted.parts)
  const leaks = (text: string): string => (text.includes(HIDDEN_WORD) ? HIDDEN_WORD : (parts.find((part) => text.includes(part)) ?? ''))
  const idsOf = async (one: WorkspaceWorld): Promise<readonly string[]> => (await one.sessions.list('', 100)).map(({ id }) => id)
  const ids = [await idsOf(hiding), await idsOf(bare)]
  const draw = dice(20_261)
  try {
    for (let call = 0; call < calls / 2; call += 1) {
      const [name, args] = drawCall(draw)
      const place = draw(PLANTED.map((_, at) => at))
      const [one, other] = await Promise.all([hiding, bare].map((server, at) => server.call(name, JSON.parse(JSON.stringify(args).replace('SESSION', ids[at]?.[place] ?? 'x')) as object)))
      if (!one || !other) throw new Error('no answer')
      const [text, twin] = [plain(one), plain(other)]
      if (text !== twin) expect([name, args, text]).toEqual([name, args, twin])
      // What was asked may be echoed in the place that was searched, and nowhere else.
      const found = leaks(text)
      if (found !== '') expect([name, args, text]).toEqual('nothing of a secret')
    }
    const lines = [...hiding.lines, ...bare.lines].map((line) => JSON.stringify(line))
    expect(lines.filter((line) => leaks(line) !== '')).toEqual([])
    expect(withheldIn(hiding)).toBeGreaterThan(withheldIn(bare))
    for (const entry of readdirSync(hiding.dataDir, { recursive: true, withFileTypes: true })) {
      if (entry.name !== 'own.md') expect([entry.name, statSync(join(entry.parentPath, entry.name)).mode & 0o077]).toEqual([entry.name, 0])
    }
  } finally {
    await hiding.close()
    await bare.close()
  }
}
