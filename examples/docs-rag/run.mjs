// Documents in pieces, embedded, searched and cited, with no server, no key and no network: the database is embedded,
// and the built-in embedder compares words. With ARROWHEAD_SQL_DSN and ARROWHEAD_VECTOR_WRITE_DSN in the environment,
// the same runs on Postgres with pgvector.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createArrowhead } from 'arrowhead'

const { ARROWHEAD_SQL_DSN: sqlDsn, ARROWHEAD_VECTOR_WRITE_DSN: vectorWriteDsn } = process.env
const collection = 'doc_chunks'
const arrowhead = createArrowhead({
  docsRoot: fileURLToPath(new URL('corpus', import.meta.url)),
  pgvectorCollections: [collection],
  // The default grants let nobody fill a collection.
  authzPolicy: { grants: [{ subject: '*', actions: ['ingest', 'query'], kinds: ['table'], prefix: collection }, { subject: '*', actions: ['read', 'search'], kinds: ['document', 'prefix'], prefix: '' }] },
  ...(sqlDsn && { sqlDsn, vectorWriteDsn }),
}, { dataDir: mkdtempSync(join(tmpdir(), 'arrowhead-example-')) })
const reader = arrowhead.as({ subject: 'example', scopes: ['docs:read', 'docs:search', 'vector:write', 'vector:search'] })

const indexed = await reader.call('doc_index', { collection })
console.log('indexed:', indexed)
const { content, metadata } = await reader.call('vector_query', { collection, query: 'how many working days does a refund take?', k: 2 })
console.log(content, JSON.stringify(metadata))

assert.match(content, /five working days/)
// Each piece carries the document that it is cited by.
assert.match(JSON.stringify(metadata), /refunds\.md/)
// Text from a document stands between fences that nobody can guess: it is data, whatever it says.
assert.match(content, /<<data /)
// A second run finds every piece unchanged.
console.log('again:', await reader.call('doc_index', { collection }))
await arrowhead.close()
