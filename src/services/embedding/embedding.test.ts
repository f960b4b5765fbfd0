import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOperatorClient } from '../../exits/net/index.ts'
import { createDeterministicEmbedder, createHttpEmbedder, createLocalEmbedder } from './index.ts'

const context = () => ({ signal: new AbortController().signal })
const cosine = (a: readonly number[] = [], b: readonly number[] = []): number => a.reduce((sum, number, at) => sum + number * (b[at] ?? 0), 0)

describe('the deterministic embedder', () => {
  const embedder = createDeterministicEmbedder({ dimensions: 128, maxTexts: 1000 })
  const one = async (text: string) => (await embedder.embed([text], context()))[0] ?? []

  it('gives any text the same vector of length 1, of the right size and of finite numbers', async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
      const [vector, again] = [await one(text), await one(text)]
      expect(vector).toEqual(again)
      expect(vector).toHaveLength(128)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
    }), { numRuns: 200 })
  })

  it('puts texts that share words nearer than texts that do not', async () => {
    const asked = await one('how long does a refund take')
    expect(cosine(asked, await one('a refund takes five days'))).toBeGreaterThan(cosine(asked, await one('bananas are yellow')) + 0.1)
  })

  it('does not claim to know meaning, and takes no more texts than it may', async () => {
    expect(embedder).toMatchObject({ semantic: false, label: 'deterministic:1:128' })
    await expect(embedder.embed(new Array<string>(1001).fill('x'), context())).rejects.toMatchObject({ code: 'data.limit' })
  })
})

describe('the HTTP embedder', () => {
  type Answer = (texts: readonly string[], request: IncomingMessage) => { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  let answer: Answer
  let requests: { readonly texts: readonly string[]; readonly key: string | undefined }[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    request.on('data', (chunk) => void (text += String(chunk)))
    request.on('end', () => {
      const { input } = JSON.parse(text) as { input: readonly string[] }
      requests.push({ texts: input, key: request.headers.authorization })
      const { status = 200, headers = {}, body } = answer(input, request)
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
  afterAll(() => new Promise((done) => server.close(done)))
  beforeEach(() => {
    requests = []
  })
  const port = (): number => (server.address() as AddressInfo).port
  const good: Answer = (texts) => ({ body: { data: texts.map((text, index) => ({ index, embedding: [text.length, 0, 1] })).reverse() } })
  const make = (more: object = {}, internal = true) =>
    createHttpEmbedder({
      client: async () => createOperatorClient({ internalHosts: internal ? [`127.0.0.1:${port()}`] : [], userAgent: 'test' }),
      endpoint: `http://127.0.0.1:${port()}/v1/embeddings`, model: 'm', apiKey: 'k', dimensions: 3, batchSize: 2, timeoutMs: 5000, maxTexts: 10, maxResponseBytes: 2000, backOffMs: 1, ...more,
    })

  it('sends batches with the key and gives unit vectors in the order of the texts', async () => {
    answer = good
    const vectors = await make().embed(['a', 'bb', 'ccc'], context())
    expect(requests).toEqual([{ texts: ['a', 'bb'], key: 'Bearer k' }, { texts: ['ccc'], key: 'Bearer k' }])
    expect(vectors.map(([first = 0, , third = 1]) => Math.round(first / third))).toEqual([1, 2, 3])
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
  })

  it.each([1e200, 1e-200])('keeps the direction of a vector whose numbers are about %d', async (size) => {
    answer = () => ({ body: { data: [{ index: 0, embedding: [3 * size, 0, -4 * size] }] } })
    const [vector = []] = await make().embed(['a'], context())
    expect(vector.map((number) => Number(number.toFixed(9)))).toEqual([0.6, 0, -0.8])
  })

  it('tries again where the endpoint is busy, and gives up in the end', async () => {
    let calls = 0
    answer = (texts, request) => (++calls < 3 ? { status: 429, body: {} } : good(texts, request))
    expect(await make().embed(['a'], context())).toHaveLength(1)
    answer = () => ({ status: 503, body: {} })
    requests = []
    await expect(make().embed(['a'], context())).rejects.toMatchObject({ code: 'embedding.failed' })
    expect(requests).toHaveLength(4)
  })

  it.each([
    ['another number of vectors', { data: [] }],
    ['other dimensions', { data: [{ index: 0, embedding: [1, 2] }] }],
    ['no numbers', { data: [{ index: 0, embedding: ['1', '2', '3'] }] }],
    ['numbers that are none', '{"data":[{"index":0,"embedding":[1e999,0,0]}]}'],
    ['one place twice', { data: [{ index: 0, embedding: [1, 2, 3] }, { index: 0, embedding: [1, 2, 3] }] }],
    ['a place beyond the end', { data: [{ index: 4, embedding: [1, 2, 3] }] }],
    ['no list', { data: { length: 1 } }],
    ['no JSON', '<html>'],
    ['nothing', ''],
  ])('refuses an answer with %s', async (_what, body) => {
    answer = () => ({ body })
    await expect(make().embed(['a'], context())).rejects.toMatchObject({ code: 'embedding.failed' })
  })

  it('refuses a refusal of the key at once, a redirect, and an answer that is too large', async () => {
    answer = () => ({ status: 401, body: {} })
    await expect(make().embed(['a'], context())).rejects.toMatchObject({ code: 'embedding.failed' })
    expect(requests).toHaveLength(1)
    answer = () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: {} })
    await expect(make().embed(['a'], context())).rejects.toMatchObject({ code: 'egress.redirects' })
    answer = () => ({ body: 'x'.repeat(5000) })
    await expect(make().embed(['a'], context())).rejects.toMatchObject({ code: 'egress.too-large' })
  })

  it('does not go to an internal address that the operator did not name', async () => {
    answer = good
    await expect(make({}, false).embed(['a'], context())).rejects.toMatchObject({ name: 'Refusal' })
    expect(requests).toEqual([])
  })

  it('ends with the reason of the caller that leaves while it waits', async () => {
    const leaving = new AbortController()
    answer = () => ({ status: 503, body: {} })
    const running = make({ backOffMs: 20_000 }).embed(['a'], { signal: leaving.signal })
    setTimeout(() => leaving.abort(new Error('left')), 50)
    await expect(running).rejects.toThrow('left')
  })
})

describe('the local embedder', () => {
  it('finds a paraphrase that shares no word, says 512 dimensions, and shows progress', async () => {
    const embedder = createLocalEmbedder({ maxTexts: 100 })
    const seen: number[] = []
    const texts = ['How can I get my money back?', 'Our refund policy explains reimbursements.', 'The cat sleeps on the warm sofa.', ...new Array<string>(7).fill('filler')]
    const [asked, paraphrase, other] = await embedder.embed(texts, { ...context(), progress: (done) => seen.push(done) })
    expect(asked).toHaveLength(512)
    expect(cosine(asked, paraphrase)).toBeGreaterThan(cosine(asked, other) + 0.1)
    expect(seen).toEqual([8, 10])
    await embedder.close()
  })
})
