import { describe, expect, it } from 'vitest'
import { refusal } from '../../kernel/refusal.ts'
import { collectorOf, collectorPost } from './collector.ts'
import { createDelivery } from './delivery.ts'
import type { Post, PostAnswer } from './ports.ts'
import { startReceiver } from './receiver.fixture.ts'

const COLLECTOR = collectorOf('https://collector.example')
const BODY = new Uint8Array([123, 125])
const again = (status: number): PostAnswer => ({ status, retryAfterSeconds: 0 })

/** Answers in order, the last one for ever. */
function scripted(...answers: readonly (PostAnswer | Error)[]) {
  const warnings: string[] = []
  let posts = 0
  const post: Post = async () => {
    const answer = answers[Math.min(posts, answers.length - 1)]
    posts += 1
    if (answer instanceof Error || !answer) throw answer
    return answer
  }
  const delivery = createDelivery(post, COLLECTOR, (problem) => void warnings.push(problem))
  return { delivery, warnings, posts: () => posts }
}

describe('a delivery', () => {
  it.each([429, 502, 503, 504])('is tried again after %i, three times at most', async (status) => {
    const recovering = scripted(again(status), again(status), again(status), { status: 200 })
    expect(await recovering.delivery.send('traces', BODY)).toBe(true)
    expect([recovering.posts(), recovering.warnings]).toEqual([4, []])
    const lasting = scripted(again(status))
    expect(await lasting.delivery.send('traces', BODY)).toBe(false)
    expect(lasting.posts()).toBe(4)
  })

  it.each([400, 401, 404, 413, 500, 501])('is given up after %i', async (status) => {
    const { delivery, posts, warnings } = scripted(again(status))
    expect(await delivery.send('traces', BODY)).toBe(false)
    expect(posts()).toBe(1)
    expect(warnings).toEqual([`telemetry: traces are lost: the collector answered ${status}`])
  })

  it('is tried again, after a pause, when the connection failed, and not when the destination is refused', async () => {
    const failed = scripted(refusal('egress.unreachable'), { status: 200 })
    expect(await failed.delivery.send('metrics', BODY)).toBe(true)
    expect(failed.posts()).toBe(2)
    const refused = scripted(refusal('egress.address'))
    expect(await refused.delivery.send('metrics', BODY)).toBe(false)
    expect([refused.posts(), refused.warnings]).toEqual([1, ['telemetry: metrics are lost: the collector was not reached (egress.address)']])
  })

  it('says once for each kind of data that it is lost, and once that it is taken again', async () => {
    const { delivery, warnings } = scripted({ status: 500 }, { status: 500 }, { status: 500 }, { status: 200 })
    await delivery.send('traces', BODY)
    await delivery.send('traces', BODY)
    await delivery.send('metrics', BODY)
    await delivery.send('traces', BODY)
    await delivery.send('traces', BODY)
    expect(warnings).toEqual([
      'telemetry: traces are lost: the collector answered 500',
      'telemetry: metrics are lost: the collector answered 500',
      'telemetry: the collector takes traces again',
    ])
  })

  it('tells nothing of an error but its class', async () => {
    const { delivery, warnings } = scripted(new TypeError('authorization: Bearer abc cannot be sent'))
    await delivery.send('traces', BODY)
    expect(warnings).toEqual(['telemetry: traces are lost: the collector was not reached (TypeError)'])
  })

  it('ends at once when it is stopped, also while it waits, and then takes nothing more', async () => {
    const { delivery, posts } = scripted({ status: 503, retryAfterSeconds: 100_000 })
    const sending = delivery.send('traces', BODY)
    await expect.poll(posts).toBe(1)
    delivery.stop()
    expect(await sending).toBe(false)
    expect(await delivery.send('traces', BODY)).toBe(false)
    expect(posts()).toBe(1)
  })
})

describe('the collector', () => {
  it.each([
    ['https://c.example', 'https://c.example/v1/traces'],
    ['https://c.example/', 'https://c.example/v1/traces'],
    ['https://c.example/otlp', 'https://c.example/otlp/v1/traces'],
    ['https://c.example/otlp/', 'https://c.example/otlp/v1/traces'],
    ['http://[::1]:4318/a?tenant=1', 'http://[::1]:4318/a/v1/traces?tenant=1'],
  ])('at %s takes traces at %s', (endpoint, traces) => {
    expect(collectorOf(endpoint).urls).toEqual({ traces, metrics: traces.replace('traces', 'metrics') })
  })

  it('is sent the headers given, decoded where they can be, and the content type is not theirs to set', () => {
    const { headers } = collectorOf('https://c.example', ['X-Key=a%3Db=c', 'odd=100%', 'Content-Type=text/plain'])
    expect(headers).toEqual({ 'x-key': 'a=b=c', odd: '100%', 'content-type': 'application/json' })
  })

  it('is reached on a loopback address that the operator named, and no other internal one is', async () => {
    const named = await startReceiver((response) => void response.writeHead(503, { 'retry-after': '7' }).end())
    const other = await startReceiver()
    const post = collectorPost(named.endpoint)
    const request = { headers: {}, body: BODY, signal: new AbortController().signal }
    expect(await post({ ...request, url: `${named.endpoint}/v1/traces` })).toEqual({ status: 503, retryAfterSeconds: 7 })
    await expect(post({ ...request, url: `${other.endpoint}/v1/traces` })).rejects.toMatchObject({ name: 'Refusal' })
    expect(other.received).toEqual([])
    await Promise.all([named.close(), other.close()])
  })

  it('is not followed elsewhere when it redirects', async () => {
    const target = await startReceiver()
    const named = await startReceiver((response) => void response.writeHead(307, { location: `${target.endpoint}/v1/traces` }).end())
    const delivery = createDelivery(collectorPost(named.endpoint), collectorOf(named.endpoint), () => {})
    expect(await delivery.send('traces', BODY)).toBe(false)
    expect([named.received.length, target.received.length]).toEqual([1, 0])
    await Promise.all([named.close(), target.close()])
  })
})
