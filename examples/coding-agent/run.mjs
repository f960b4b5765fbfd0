// What a coding agent does, through the library: find its way in a repository, read, keep a working set, pack context,
// and run a snippet. Each call is one that a client over the wire could make, with the same refusals.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createArrowhead, Refusal } from 'arrowhead'

const arrowhead = createArrowhead({ profile: 'coding', repoRoot: fileURLToPath(new URL('repo', import.meta.url)), execEnabled: true }, { dataDir: mkdtempSync(join(tmpdir(), 'arrowhead-example-')) })
const agent = arrowhead.asLocal()

const { symbols } = await agent.call('symbol_map', {})
console.log('symbols:', JSON.stringify(symbols))
assert.match(JSON.stringify(symbols), /gross/)

const read = await agent.call('code_read', { path: 'src/prices.py', start_line: 4, end_line: 6 })
assert.match(JSON.stringify(read), /def gross/)

await agent.call('workingset_update', { name: 'tax', action: 'pin', items: [{ kind: 'repo_file', identifier: 'src/prices.py' }] })
const packed = await agent.call('pack_context', { query: 'tax rate', working_set: 'tax', token_budget: 1000 })
console.log('packed tokens:', packed.token_estimate)
assert.match(JSON.stringify(packed), /prices\.py/)

// Running code depends on what this machine can keep in; where no runner can, that is a refusal like any other.
try {
  const ran = await agent.call('run_snippet', { language: 'python', code: 'print(round(100 * 1.19, 2))' })
  console.log('ran:', JSON.stringify(ran))
  assert.match(JSON.stringify(ran), /119\.0/)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.log('not run here:', error.code)
}
await arrowhead.close()
