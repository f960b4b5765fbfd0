/** Real questions through the workspace server: each function is a file of its own, and the answer is where its address stands among fifty. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTempDir } from './contestants.ts'
import { openWorkspaceBench } from './workspace-app.ts'

const DEPTH = 50
const MAX_QUERY_CHARS = 200

export interface AddressedQuestion {
  readonly question: string
  /** Path of the right answer. */
  readonly path: string
}

/** @returns the rank of the right answer to each question, from 1; 0 where it is not among fifty. */
export async function ranksInWorkspace(files: readonly (readonly [path: string, text: string])[], questions: readonly AddressedQuestion[]): Promise<readonly number[]> {
  return inTempDir(async (folder) => {
    const root = join(folder, 'repo')
    mkdirSync(root)
    for (const [path, text] of files) writeFileSync(join(root, path), text)
    const server = openWorkspaceBench(root, join(folder, 'data'))
    const ranks: number[] = []
    await wholeIndex(server.ask)
    for (const { question, path } of questions) {
      const { addresses } = await server.ask(question.slice(0, MAX_QUERY_CHARS), { limit: DEPTH, detail: 'snippets' })
      const found = [...new Set(addresses.map((address) => address.slice(0, address.lastIndexOf(':'))))]
      ranks.push(1 + found.indexOf(path))
    }
    await server.close()
    return ranks
  })
}

/** Waits for an answer that is not said to miss files. */
async function wholeIndex(ask: (query: string) => Promise<{ readonly index: string }>): Promise<void> {
  while (!(await ask('x')).index.startsWith('complete')) await new Promise((resolve) => setTimeout(resolve, 200))
}
