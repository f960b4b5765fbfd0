/** What a listing costs the model that reads it: tokens for each tool, schemas and all. */

import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { filesystemServer, inTempDir, ours } from './contestants.ts'
import { startServer } from './raw-client.ts'
import type { Command } from './raw-client.ts'
import { compared } from './rounds.ts'
import type { Bench } from './rounds.ts'

async function tokensPerTool(command: Command): Promise<number> {
  const server = startServer(command, 'legacy')
  try {
    await server.open()
    const { tools } = (await server.request('tools/list')) as { tools: readonly unknown[] }
    return encode(JSON.stringify(tools)).length / tools.length
  } finally {
    await server.end()
  }
}

export const listTokens = (binary: string): Bench => ({
  ids: ['list.tokens'],
  run: () => inTempDir(async (folder) => {
    const [mine, theirs] = [await tokensPerTool(ours(binary, folder)), await tokensPerTool(filesystemServer(folder))]
    return [compared({ id: 'list.tokens', baseline: 'server-filesystem', unit: 'tokens/tool', better: 'less', ours: [mine], theirs: [theirs] })]
  }),
})
