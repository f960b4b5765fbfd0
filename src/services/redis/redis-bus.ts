/**
 * Messages between processes over Redis' channels. Each carries a code under the state key (HMAC-SHA-256, RFC 2104),
 * so whoever can write to Redis can silence this deployment but not speak for it.
 */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Bus } from '../../kernel/ports/bus.ts'
import type { RedisLink } from './link.ts'

const CODE_CHARS = 43
const MAX_CHARS = 1_000_000

/** @param secret asked for by the first message; the same in every process. */
export function createRedisBus(link: RedisLink, secret: () => string): Bus {
  const topics = new Map<string, Set<(message: string) => void>>()
  let key: Buffer | undefined
  let listening: Promise<void> | undefined
  const codeOf = (channel: string, message: string): string => {
    key ??= Buffer.from(hkdfSync('sha256', secret(), '', 'arrowhead bus', 32))
    return createHmac('sha256', key).update(`${channel}\n${message}`).digest('base64url')
  }
  const deliver = (channel: string, sealed: string): void => {
    const [code, message] = [sealed.slice(0, CODE_CHARS), sealed.slice(CODE_CHARS)]
    const expected = Buffer.from(codeOf(channel, message))
    const given = Buffer.from(code)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return
    for (const hear of topics.get(channel) ?? []) hear(message)
  }
  const listen = async (): Promise<void> => {
    const redis = await link.listener()
    redis.on('message', deliver)
    // Never given up: the listener connects when it can, and takes up its channels again by itself.
    await redis.connect().catch(() => {})
  }
  const join = async (channel: string): Promise<void> => {
    await (listening ??= listen())
    await (await link.listener()).subscribe(channel).catch(() => {})
  }
  const channelOf = (topic: string): string => `arrowhead:bus:${topic}`
  return {
    async publish(topic, message) {
      if (message.length > MAX_CHARS) return 0
      const channel = channelOf(topic)
      return (await link.ask((redis) => redis.publish(channel, codeOf(channel, message) + message))) ?? 0
    },
    subscribe(topic, hear) {
      const channel = channelOf(topic)
      const hearers = topics.get(channel) ?? new Set()
      if (hearers.size === 0) join(channel).catch(() => {})
      topics.set(channel, hearers.add(hear))
      return () => void hearers.delete(hear)
    },
  }
}
