import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Fields } from '../../kernel/schema.ts'
import { runWebhookCase } from '../../../test/cases/webhook.ts'
import { createWebhooks, secretOf } from './index.ts'
import type { WebhooksOptions } from './index.ts'

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

/** A real receiver, which answers with the next of `answers`, the last one for ever. */
async function receiver(...answers: readonly { status: number; body?: string; location?: string }[]) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => void (body += chunk)).on('end', () => {
      const { status = 200, body: text = 'ok', location } = answers[Math.min(got.length, answers.length - 1)] ?? {}
      got.push({ headers: request.headers, body })
      response.writeHead(status, location === undefined ? {} : { location }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in` }
}

const send = (url: string, payload: Fields, options: Partial<WebhooksOptions> = {}) => {
  const port = Number(new URL(url).port)
  const webhooks = createWebhooks({
    destination: (raw) => new URL(raw), maxPayloadBytes: 100, maxResponseBytes: 10, timeoutMs: 10_000, userAgent: 'test', allowedPorts: [port],
    clock: { now: () => 1_700_000_000_000 }, secret: () => undefined, pausesMs: [1, 1], dangerouslyTreatAsPublic: () => true, ...options,
  })
  return webhooks.post(url, payload, new AbortController().signal)
}

it('posts JSON with an id that names the delivery, and nothing of the caller’s credentials', async () => {
  const { got, url } = await receiver()
  expect(await send(url, { text: 'done' })).toEqual({ status: 200, response: 'ok', truncated: false })
  expect(got).toMatchObject([{ body: '{"text":"done"}', headers: { 'content-type': 'application/json', 'webhook-timestamp': '1700000000' } }])
  expect(got[0]?.headers['idempotency-key']).toBe(`"${String(got[0]?.headers['webhook-id'])}"`)
  expect(Object.keys(got[0]?.headers ?? {}).filter((name) => /auth|cookie|signature/.test(name))).toEqual([])
})

it('signs what it sends where there is a secret', async () => {
  const { got, url } = await receiver()
  const secret = secretOf(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
  await send(url, { n: 1 }, { secret: () => secret })
  const { headers, body } = got[0] ?? { headers: {}, body: '' }
  const expected = createHmac('sha256', Buffer.alloc(32, 7)).update(`${String(headers['webhook-id'])}.1700000000.${body}`).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${expected}`)
  expect(() => secretOf('too short')).toThrow(TypeError)
})

it('tries again after an answer that says so, under the same key, and not for ever', async () => {
  const flaky = await receiver({ status: 503 }, { status: 200 })
  expect(await send(flaky.url, {})).toMatchObject({ status: 200 })
  expect(new Set(flaky.got.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  const broken = await receiver({ status: 503, body: 'down' })
  expect(await send(broken.url, {})).toMatchObject({ status: 503, response: 'down' })
  expect(broken.got).toHaveLength(3)
  const wrong = await receiver({ status: 400 })
  expect(await send(wrong.url, {})).toMatchObject({ status: 400 })
  expect(wrong.got).toHaveLength(1)
})

it.each([301, 302, 303, 307, 308])('follows no %i', async (status) => {
  const elsewhere = await receiver()
  const { got, url } = await receiver({ status, location: elsewhere.url })
  await expect(send(url, {})).rejects.toMatchObject({ code: 'egress.redirects' })
  expect([got.length, elsewhere.got.length]).toEqual([1, 0])
})

it('keeps the start of a long answer, whole characters only, and says that it was cut', async () => {
  expect(await send((await receiver({ status: 200, body: '123456789é and more' })).url, {})).toEqual({ status: 200, response: '123456789', truncated: true })
  expect(await send((await receiver({ status: 200, body: '1234567890' })).url, {})).toEqual({ status: 200, response: '1234567890', truncated: false })
})

it('sends no payload over the limit, and nothing to an address inside, even where it is listed', async () => {
  const { got, url } = await receiver()
  await expect(send(url, { text: 'x'.repeat(100) })).rejects.toMatchObject({ code: 'content.too-large' })
  await expect(send(url, {}, { dangerouslyTreatAsPublic: () => false })).rejects.toMatchObject({ code: 'egress.address' })
  await expect(send('http://rebound.example/in', {}, { allowedPorts: [80], resolver: async () => ['93.184.215.14', '169.254.169.254'], dangerouslyTreatAsPublic: () => false })).rejects.toMatchObject({ code: 'egress.address' })
  expect(got).toEqual([])
})

it('dials what the first look-up answered, whatever the second one would', async () => {
  const dns = { 'hooks.example.com': ['93.184.215.14'] }
  const input = { allow: ['https://hooks.example.com/in/'], url: 'https://hooks.example.com/in/x', dns, dnsThen: { 'hooks.example.com': ['169.254.169.254'] } }
  const line = { id: 'flip', area: 'webhook', input, expect: 'refuse' as const }
  expect(await runWebhookCase({ ...line, pinOk: ['93.184.215.14'] })).toMatchObject({ right: true })
  expect(await runWebhookCase(line)).toMatchObject({ right: false })
})
