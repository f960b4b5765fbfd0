// A tool of your own, behind the same chain as every other: strict input, a scope, a rate, a record of each call.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createArrowhead, defineTool, ours, read, Refusal, refusal } from 'arrowhead'
import { z } from 'zod'

const STOCK = new Map([['bolt', 12], ['nut', 0]])

const stockLevel = defineTool({
  name: 'stock_level', title: 'Stock level', summary: 'Tells how many pieces of an article are in stock.',
  scope: 'stock:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 60, uses: [],
  input: z.strictObject({ article: z.string().max(40).describe('Name of the article') }),
  output: z.strictObject({ article: ours(z.string()), pieces: z.number().int() }),
  examples: [{ title: 'Bolts', input: { article: 'bolt' } }],
  touches: ({ article }) => [read('app:article', article)],
  async run({ article }) {
    const pieces = STOCK.get(article)
    if (pieces === undefined) throw refusal('resource.missing', 'the articles are bolt and nut')
    return { article, pieces }
  },
})

const grants = [{ subject: 'shop', actions: ['read'], kinds: ['app:article'], prefix: '' }]
const arrowhead = createArrowhead({ authzPolicy: { grants } }, { tools: [stockLevel], dataDir: mkdtempSync(join(tmpdir(), 'arrowhead-example-')) })
const shop = arrowhead.as({ subject: 'shop', scopes: ['stock:read'] })
console.log(await shop.call('stock_level', { article: 'bolt' }))

assert.deepEqual(await shop.call('stock_level', { article: 'nut' }), { article: 'nut', pieces: 0 })
const refused = (session, args, code) => assert.rejects(session.call('stock_level', args), (error) => error instanceof Refusal && error.code === code)
await refused(shop, { article: 'bolt', amount: 1 }, 'input.invalid')
await refused(shop, { article: 'gear' }, 'resource.missing')
await refused(arrowhead.as({ subject: 'shop', scopes: [] }), { article: 'bolt' }, 'component.unknown')
await refused(arrowhead.as({ subject: 'guest', scopes: ['stock:read'] }), { article: 'bolt' }, 'access.denied')
await arrowhead.close()
