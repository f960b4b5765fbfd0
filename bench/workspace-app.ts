/** A workspace server over a folder, in this process: the same chain and the same answers as over the pipe. */

import { createWorkspaceApp, findGround } from '../src/app/workspace-start.ts'
import { loadSettings } from '../src/config/index.ts'

export interface AskedAnswer {
  /** Addresses in their order, as `path:line`. */
  readonly addresses: readonly string[]
  /** What the answer says of the index. */
  readonly index: string
  /** Of the whole result as it goes over the wire. */
  readonly bytes: number
}

export interface WorkspaceBench {
  ask(query: string, more?: object): Promise<AskedAnswer>
  close(): Promise<void>
}

export function openWorkspaceBench(cwd: string, dataDir: string): WorkspaceBench {
  const { values } = loadSettings({ file: JSON.stringify({ rateLimitEnabled: false, repoSearchMaxFiles: 100_000 }) })
  const found = findGround(cwd, [dataDir])
  const app = createWorkspaceApp(values, { dataDir, cwd: found.cwd, ground: found.ground, rules: [], log: () => true })
  return {
    async ask(query, more = {}) {
      const outcome = await app.dispatch({ kind: 'tool', name: 'search_code', args: { query, ...more } }, app.local, { door: 'stdio' })
      if (outcome.is !== 'ok') throw new Error(JSON.stringify(outcome))
      const { value, blocks } = outcome.answer
      const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
      const wire = JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(value) }, ...blocks], structuredContent: value })
      return { index: String(value['index']), addresses: text.split('\n').flatMap((line) => /^(\S+:\d+) /.exec(line)?.[1] ?? []), bytes: Buffer.byteLength(wire) }
    },
    close: () => app.close(),
  }
}
