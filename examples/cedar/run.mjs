// Another policy engine behind the port `Authorizer`: Cedar decides each thing that a call names. Scopes, levels and
// everything else of the chain stay as they are, and an engine that fails denies.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import { createArrowhead, Refusal } from 'arrowhead'

const { isAuthorized } = createRequire(import.meta.url)('@cedar-policy/cedar-wasm/nodejs')
const staticPolicies = readFileSync(new URL('policy.cedar', import.meta.url), 'utf8')
const GROUPS = { ann: ['writers'], bob: [] }

/** @type {import('arrowhead').Authorizer} */
const authorizer = {
  allows({ subject = '' }, { action, kind, id }) {
    const principal = { type: 'User', id: subject }
    const resource = { type: 'Resource', id: `${kind}:${id}` }
    const groups = (GROUPS[subject] ?? []).map((group) => ({ type: 'Group', id: group }))
    const answer = isAuthorized({
      principal, action: { type: 'Action', id: action }, resource, context: {}, policies: { staticPolicies },
      entities: [{ uid: principal, attrs: {}, parents: groups }, { uid: resource, attrs: { kind, id }, parents: [] }, ...groups.map((uid) => ({ uid, attrs: {}, parents: [] }))],
    })
    // A request that Cedar cannot judge is not a yes.
    return answer.type === 'success' && answer.response.decision === 'allow' && answer.response.diagnostics.errors.length === 0
  },
}

const folder = mkdtempSync(join(tmpdir(), 'arrowhead-example-'))
mkdirSync(join(folder, 'docs', 'private'), { recursive: true })
writeFileSync(join(folder, 'docs', 'open.md'), '# Open\n')
writeFileSync(join(folder, 'docs', 'private', 'pay.md'), '# Pay\n')
const arrowhead = createArrowhead({ docsRoot: join(folder, 'docs') }, { dataDir: join(folder, 'data'), replace: { authorizer } })
const as = (subject) => arrowhead.as({ subject, scopes: ['docs:read', 'docs:write'] })
const denied = (promise) => assert.rejects(promise, (error) => error instanceof Refusal && error.code === 'access.denied')

console.log('bob reads:', Object.keys(await as('bob').call('doc_read', { path: 'open.md' })))
await denied(as('bob').call('doc_read', { path: 'private/pay.md' }))
await denied(as('bob').call('doc_write', { path: 'notes/bob.md', content: 'no' }))
console.log('ann writes:', await as('ann').call('doc_write', { path: 'notes/ann.md', content: 'yes' }))
await denied(as('ann').call('doc_write', { path: 'other/ann.md', content: 'no' }))
await arrowhead.close()
