/**
 * One connection to Redis that never makes a call wait for long: what is not answered in time is not answered, and
 * while Redis is away nothing is asked of it but whether it is back.
 */

import type { Redis } from 'ioredis'
import { SINCE } from './names.ts'
import { KEEP_PLACES, TAKE_PLACE, TAKE_TOKEN, USE_ONCE } from './scripts.ts'

/** Redis with the scripts of this project. */
export type Scripted = Redis & {
  arrowheadToken(key: string, capacity: number, periodMs: number): Promise<number>
  arrowheadPlace(key: string, places: number, lifeMs: number, name: string): Promise<number>
  arrowheadKeep(key: string, lifeMs: number, ...names: string[]): Promise<number>
  arrowheadUse(key: string, since: string, lifeMs: number, nowMs: number, fromMs: number): Promise<number>
}

export interface LinkOptions {
  readonly url: string
  /** Told when Redis goes away, and when it is back. */
  readonly onChange: (isUp: boolean) => void
  /** Longest wait for an answer, in milliseconds. @default 2,000 */
  readonly answerMs?: number
}

export interface RedisLink {
  /** The answer, or undefined where there is none: Redis is away, slow, or said no. */
  ask<T>(command: (redis: Scripted) => Promise<T>): Promise<T | undefined>
  /** Whether the last that was heard of Redis was good. Nothing was heard before the first use. */
  readonly isUp: boolean
  /** A second connection, for listening: one that listens can do nothing else. */
  listener(): Promise<Redis>
  close(): Promise<void>
}

const CONNECT_MS = 1_000
/** Long enough for a machine that has much to do: who gives up too soon counts a caller's calls twice. */
const ANSWER_MS = 2_000
/** Answers missed in a row, after which Redis is left alone for a while. */
const [MAX_MISSED, LEFT_ALONE_MS] = [3, 1_000]
const RETRY_MS = [50, 1_000] as const

/** Opens nothing before the first use. */
export function openLink({ url, onChange, answerMs = ANSWER_MS }: LinkOptions): RedisLink {
  let opened: Promise<Scripted> | undefined
  let listening: Promise<Redis> | undefined
  let [isUp, missed, aloneUntil, closed] = [true, 0, 0, false]
  const heard = (now: boolean): void => {
    if (closed || now === isUp) return
    isUp = now
    onChange(isUp)
  }
  const connect = async (): Promise<Scripted> => {
    const redis = await client(url)
    redis.defineCommand('arrowheadToken', { numberOfKeys: 1, lua: TAKE_TOKEN })
    redis.defineCommand('arrowheadPlace', { numberOfKeys: 1, lua: TAKE_PLACE })
    redis.defineCommand('arrowheadKeep', { numberOfKeys: 1, lua: KEEP_PLACES })
    redis.defineCommand('arrowheadUse', { numberOfKeys: 2, lua: USE_ONCE })
    redis.on('close', () => heard(false))
    redis.on('ready', () => {
      // Before anything else is asked: from now on it remembers, if it did not before.
      redis.set(SINCE, Date.now(), 'NX').catch(() => {})
      ;[missed, aloneUntil] = [0, 0]
      heard(true)
    })
    // Who fails to connect now goes on trying in the background.
    await redis.connect().catch(() => heard(false))
    return redis as Scripted
  }

  return {
    get isUp() {
      return isUp
    },
    async ask(command) {
      if (closed || performance.now() < aloneUntil) return undefined
      const redis = await (opened ??= connect())
      if (redis.status !== 'ready') return undefined
      try {
        const answer = await inTime(command(redis), answerMs)
        missed = 0
        heard(true)
        return answer
      } catch {
        missed += 1
        if (missed >= MAX_MISSED) {
          // What still waits for an answer waits on a connection that gives none.
          if (redis.status === 'ready') redis.disconnect(true)
          aloneUntil = performance.now() + LEFT_ALONE_MS
          heard(false)
        }
        return undefined
      }
    },
    listener: () => (listening ??= client(url, { autoResubscribe: true, enableOfflineQueue: true, maxRetriesPerRequest: null })),
    async close() {
      closed = true
      for (const one of [opened, listening]) (await one?.catch(() => undefined))?.disconnect()
    },
  }
}

/**
 * A busy process hears its timers before it hears its connections, so an answer that is there already gets its turn
 * before it counts as missed.
 */
function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const miss = (): void => reject(new Error('no answer in time'))
    const timer = setTimeout(() => setImmediate(() => setImmediate(miss)), ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

async function client(url: string, more: Readonly<Record<string, unknown>> = {}): Promise<Redis> {
  // The default export has every name on it, however the package was bundled.
  const { default: ioredis } = await import('ioredis')
  const made = new ioredis.Redis(url, {
    lazyConnect: true, connectTimeout: CONNECT_MS, enableOfflineQueue: false, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(RETRY_MS[0] * 2 ** Math.min(times, 10), RETRY_MS[1]), connectionName: 'arrowhead', ...more,
  })
  // Unheard, an error would end the process; what it means is told by the events above.
  made.on('error', () => {})
  return made
}
