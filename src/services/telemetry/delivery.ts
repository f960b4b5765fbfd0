/**
 * Gets a body to the collector or gives it up: at most three more tries and ten seconds (OTLP 1.x, OTLP/HTTP
 * failures). Never rejects. That data is being lost is said once, and once more when the collector takes it again.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../kernel/refusal.ts'
import type { Collector, Signal } from './collector.ts'
import type { Post } from './ports.ts'

const RETRIES = 3
const BUDGET_MS = 10_000
/** What the SDK waits for an export: longer than a delivery takes, so that it is never the one to give up. */
export const EXPORT_TIMEOUT_MS = BUDGET_MS + 2000
const FIRST_PAUSE_MS = 500
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])

export interface Delivery {
  /** @returns whether the collector took it. */
  send(signal: Signal, body: Uint8Array): Promise<boolean>
  /** Ends when nothing is under way any more. */
  idle(): Promise<void>
  /** Gives up everything that is under way, and whatever comes later. */
  stop(): void
}

/** What one try came to: nothing, or a problem and how long to wait before the next, where there may be one. */
interface Failure {
  readonly problem: string
  readonly pauseMs: number | undefined
}

export function createDelivery(post: Post, { urls, headers }: Collector, warn: (problem: string) => void): Delivery {
  const underWay = new Map<Promise<boolean>, AbortController>()
  const failing = new Set<Signal>()
  let stopped = false

  const attempt = async (url: string, body: Uint8Array, signal: AbortSignal): Promise<Failure | undefined> => {
    try {
      const { status, retryAfterSeconds } = await post({ url, headers, body, signal })
      if (status >= 200 && status < 300) return undefined
      const pauseMs = RETRIED.has(status) ? (retryAfterSeconds ?? Number.NaN) * 1000 : undefined
      return { problem: `the collector answered ${status}`, pauseMs }
    } catch (error) {
      // A connection that failed may work next time (OTLP/HTTP connection); a request that is refused stays so.
      const problem = signal.aborted ? 'the collector took too long' : `the collector was not reached (${nameOf(error)})`
      const passing = !signal.aborted && error instanceof Refusal && error.code === 'egress.unreachable'
      return { problem, pauseMs: passing ? Number.NaN : undefined }
    }
  }

  const deliver = async (url: string, body: Uint8Array, signal: AbortSignal): Promise<string | undefined> => {
    for (let tries = 0; ; tries += 1) {
      const failure = await attempt(url, body, signal)
      if (failure?.pauseMs === undefined || tries === RETRIES) return failure?.problem
      const pauseMs = Number.isNaN(failure.pauseMs) ? FIRST_PAUSE_MS * 2 ** tries * (0.5 + Math.random() / 2) : failure.pauseMs
      const waited = await pause(pauseMs, true, { signal, ref: false }).catch(() => false)
      if (!waited) return failure.problem
    }
  }

  const report = (signal: Signal, problem: string | undefined): boolean => {
    if (problem === undefined) {
      if (failing.delete(signal)) warn(`telemetry: the collector takes ${signal} again`)
      return true
    }
    if (!failing.has(signal)) warn(`telemetry: ${signal} are lost: ${problem}`)
    failing.add(signal)
    return false
  }

  return {
    send(signal, body) {
      if (stopped) return Promise.resolve(false)
      const scope = new AbortController()
      const timer = setTimeout(() => scope.abort(), BUDGET_MS).unref()
      const sending = deliver(urls[signal], body, scope.signal).then((problem) => report(signal, problem)).catch(() => false).finally(() => {
        clearTimeout(timer)
        underWay.delete(sending)
      })
      underWay.set(sending, scope)
      return sending
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay.keys())
    },
    stop() {
      stopped = true
      for (const scope of underWay.values()) scope.abort()
    },
  }
}

/** A refusal's code or an error's class: never its message, which may name what it was given. */
const nameOf = (error: unknown): string => (error instanceof Refusal ? error.code : error instanceof Error ? error.name : 'unknown')
