import { describe, expect, it } from 'vitest'
import { refusal } from '../../kernel/refusal.ts'
import { createTokens } from '../../services/tokens/index.ts'
import { testApp } from '../../testing/index.ts'
import { answerOf, contextApp, sourcesOf, unframed } from './context.fixture.ts'
import type { Snippet } from './bundle.ts'

const count = await createTokens().counter()

const functions = (name: string, times: number): string =>
  Array.from({ length: times }, (_, index) => `export function ${name}${index}(order: Order) {\n  const total = order.lines.length\n\n  return total + ${index}\n}\n`).join('\n')

const docs = {
  'refunds.md': '# Refunds\n\nA refund is issued within a week.\n\nIt goes to the card that paid.\n',
  'shipping.md': '# Shipping\n\nParcels leave on Mondays.\n',
}
const code = { 'src/refund.ts': functions('issueRefund', 3), 'src/parcel.ts': functions('sendParcel', 3), 'src/long.ts': functions('longRefund', 400) }

const pack = async (args: object, app = contextApp({ docs, code })) => {
  const answer = await answerOf(app.call('pack_context', args))
  return { ...answer, snippets: (answer['snippets'] ?? []) as readonly Snippet[], shown: ((answer['snippets'] ?? []) as readonly Snippet[]).map(({ source, span }) => `${source} ${span}`) }
}

const pinTo = (app: ReturnType<typeof contextApp>, ...items: readonly [kind: string, identifier: string][]) =>
  app.call('workingset_update', { name: 'w', action: 'pin', items: items.map(([kind, identifier]) => ({ kind, identifier })) })

describe('pack_context', () => {
  it('finds passages of documents and code, stamped and framed', async () => {
    const { snippets, shown, ...answer } = await pack({ query: 'how are refunds issued?' })
    expect(shown).toContain('refunds.md 1-5')
    expect(shown.some((one) => one.startsWith('src/refund.ts'))).toBe(true)
    expect(shown.some((one) => one.startsWith('src/parcel.ts'))).toBe(false)
    const refunds = snippets.find(({ source }) => source === 'refunds.md')
    expect(refunds).toMatchObject({ kind: 'doc', retrieved_at: '2023-11-14T22:13:20.000Z', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(unframed(refunds?.content ?? '')).toBe(docs['refunds.md'].trimEnd())
    expect(answer).toMatchObject({ notice: expect.any(String), redactions: 0 })
  })

  it('says how fresh the code index is, where one was asked', async () => {
    const ranked = (index: { asOfMs: number | null; isComplete: boolean; isUpdating: boolean }) => pack({ query: 'refund' }, contextApp({ docs, code, rankers: [{ rank: async () => ({ passages: [], isPartial: false, index }) }] }))
    expect(await ranked({ asOfMs: 0, isComplete: true, isUpdating: true })).toMatchObject({ code_index: 'complete as of 1970-01-01T00:00:00.000Z, being updated' })
    expect(await ranked({ asOfMs: 0, isComplete: false, isUpdating: false })).toMatchObject({ code_index: 'partial as of 1970-01-01T00:00:00.000Z' })
    expect(await ranked({ asOfMs: null, isComplete: false, isUpdating: true })).toMatchObject({ code_index: 'building' })
    expect(await pack({ query: 'refund' })).toMatchObject({ code_index: '' })
  })

  it('puts what is pinned first, however little it has to do with the query', async () => {
    const app = contextApp({ docs, code })
    await pinTo(app, ['doc', 'shipping.md'], ['repo_file', 'src/parcel.ts'])
    const { shown } = await pack({ query: 'refund', working_set: 'w' }, app)
    expect(shown.slice(0, 2)).toEqual(['shipping.md 1-3', 'src/parcel.ts 1-17'])
    expect(shown.length).toBeGreaterThan(2)
  })

  it('shows nothing twice: neither lines of a pin nor one text under two names', async () => {
    const app = contextApp({ docs: { ...docs, 'copy.md': docs['refunds.md'] } })
    await pinTo(app, ['doc', 'refunds.md'])
    const { shown, ...answer } = await pack({ query: 'refund card', working_set: 'w' }, app)
    expect(shown.filter((one) => /^(refunds|copy)\.md/.test(one))).toEqual(['refunds.md 1-5'])
    expect(answer).toMatchObject({ dropped: { count: 1, first: [{ source: 'copy.md', kind: 'doc', reason: 'duplicate' }] } })
  })

  it('cuts what is too long between declarations, and says that it did', async () => {
    const app = contextApp({ code })
    await pinTo(app, ['repo_file', 'src/long.ts'])
    const { snippets, ...answer } = await pack({ query: 'nothing', working_set: 'w', token_budget: 1_000 }, app)
    const text = unframed(snippets[0]?.content ?? '')
    expect(text.split('\n').length).toBeGreaterThan(40)
    expect(code['src/long.ts'].startsWith(`${text}\n\nexport function`)).toBe(true)
    expect(answer).toMatchObject({ truncated: true })
  })

  it('drops what cannot be cut, and says why', async () => {
    const app = contextApp({ docs: { 'one-line.txt': 'word '.repeat(50_000), 'small.txt': 'small' } })
    await pinTo(app, ['doc', 'one-line.txt'], ['doc', 'small.txt'], ['doc', 'gone.txt'])
    expect(await pack({ query: 'nothing', working_set: 'w' }, app)).toMatchObject({
      shown: ['small.txt 1-1'], truncated: true,
      dropped: { count: 2, first: [{ source: 'one-line.txt', kind: 'doc', reason: 'budget' }, { source: 'gone.txt', kind: 'doc', reason: 'unavailable' }] },
    })
  })

  it('leaves each pin its share, so that one cannot take the place of all', async () => {
    const app = contextApp({ code, docs })
    await pinTo(app, ['repo_file', 'src/long.ts'], ['doc', 'refunds.md'], ['doc', 'shipping.md'])
    const { shown } = await pack({ query: 'x', working_set: 'w', token_budget: 1_500 }, app)
    expect(shown.map((one) => one.split(' ')[0])).toEqual(expect.arrayContaining(['src/long.ts', 'refunds.md', 'shipping.md']))
  })

  it.each([1, 50, 150, 300, 600, 1_200, 4_000, 8_000])('costs at most its budget of %s tokens as a whole, if that is room for an empty answer', async (token_budget) => {
    const app = contextApp({ docs, code })
    await pinTo(app, ['repo_file', 'src/long.ts'], ['doc', 'refunds.md'])
    const { shown, ...answer } = await pack({ query: 'refund', working_set: 'w', token_budget }, app)
    const spent = count(JSON.stringify(answer))
    expect(spent).toBeLessThanOrEqual(Math.max(token_budget, 120))
    expect(answer).toMatchObject({ token_estimate: expect.any(Number) })
    if (token_budget < 120) expect(shown).toEqual([])
  })

  it('never spends more than the operator allows, whatever is asked', async () => {
    const { shown: _, ...answer } = await pack({ query: 'refund', token_budget: 100_000 }, contextApp({ docs, code }, { packMaxTokens: 500 }))
    expect(count(JSON.stringify(answer))).toBeLessThanOrEqual(500)
  })

  it('takes secrets out of a text before it is cut, also those over several lines', async () => {
    const body = Array.from({ length: 12 }, (_, index) => `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'}${index % 10}refund`).join('\n')
    const key = `intro\n\n-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n\nrefund after the key\n`
    const app = contextApp({ docs: { 'key.txt': key } })
    const { snippets, ...answer } = await pack({ query: 'refund' }, app)
    expect(JSON.stringify(snippets)).not.toContain('MIIEvQ')
    expect(snippets.map(({ span, content }) => [span, unframed(content)])).toEqual([['1-3', expect.stringMatching(/^intro\n\n\[REDACTED:[\w:-]+\]$/)], ['18-18', 'refund after the key']])
    expect(answer).toMatchObject({ redactions: 1 })
  })

  it('refuses a set that does not exist, and a caller without the right to search', async () => {
    expect(await pack({ query: 'x', working_set: 'none' })).toMatchObject({ is: 'refused', refusal: { code: 'workingset.missing' } })
    const app = contextApp({ docs, code }, { authzPolicy: JSON.stringify({ grants: [{ subject: '*', actions: ['read'], prefix: '' }] }) })
    expect(await pack({ query: 'x' }, app)).toMatchObject({ is: 'refused', refusal: { code: 'access.denied' } })
  })

  it('asks again about each pin: what was taken away since is dropped and not opened', async () => {
    let isGranted = true
    const opened: string[] = []
    const sources = sourcesOf({ docs })
    const world = testApp({
      settings: { rateLimitEnabled: false },
      options: { replace: {
        services: { sources: { ...sources, read: (ref, signal) => sources.read({ ...ref, identifier: opened[opened.push(ref.identifier) - 1] ?? '' }, signal) } },
        authorizer: { allows: (_caller, { id }) => isGranted || id !== 'refunds.md' },
      } },
    })
    await pinTo(world, ['doc', 'refunds.md'], ['doc', 'shipping.md'])
    isGranted = false
    expect(await pack({ query: 'refund Mondays', working_set: 'w' }, world)).toMatchObject({ shown: ['shipping.md 1-3'], dropped: { count: 1, first: [{ source: 'refunds.md', kind: 'doc', reason: 'access' }] } })
    expect(opened).not.toContain('refunds.md')
  })

  it('finds no code for a caller who may not search it', async () => {
    const grants = [{ subject: '*', actions: ['search', 'read'], prefix: '' }, { subject: '*', actions: ['read'], kinds: ['repo_file'], prefix: '' }]
    const { shown } = await pack({ query: 'refund' }, contextApp({ docs, code }, { authzPolicy: JSON.stringify({ grants }) }))
    expect(shown).toEqual(['refunds.md 1-5'])
  })

  it('lives with a ranking that fails, lies, or is older than the texts', async () => {
    const failing = { rank: async () => { throw refusal('tool.failed') } }
    const passage = (identifier: string, startLine: number, endLine: number) => ({ kind: 'doc' as const, identifier, startLine, endLine })
    const lying = { rank: async () => ({ passages: [passage('none.md', 1, 2), passage('shipping.md', 90, 99), passage('shipping.md', 3, 99)], isPartial: false }) }
    const answer = await pack({ query: 'zzz' }, contextApp({ docs, rankers: [failing, lying] }))
    expect(answer).toMatchObject({ shown: ['shipping.md 3-3'], truncated: true, dropped: { first: [{ source: 'none.md', reason: 'unavailable' }] } })
  })
})
