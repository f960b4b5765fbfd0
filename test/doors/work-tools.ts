/** Tools whose work a test can hold, watch and let go. */

import * as z from 'zod'
import { echoed } from '../../src/kernel/leaf.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import type { Tool } from '../../src/kernel/tool.ts'

const FACTS = { scope: 'notes:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 100_000, uses: [], examples: [] } as const
const INPUT = z.strictObject({ n: z.number() })
const OUTPUT = z.strictObject({ n: z.number() })

export interface Held {
  readonly tool: Tool
  /** How many ran at once, at most. */
  readonly peak: () => number
  /** The calls that run now, by their number. */
  readonly running: ReadonlyMap<number, AbortSignal>
  /** Those whose signal fired while they ran. */
  readonly stopped: readonly number[]
  /** Resolves when call `n` has begun. */
  begun(n: number): Promise<void>
  /** Lets every call end, now and from now on. */
  release(): void
}

/** A tool that runs until it is released or its signal fires. */
export function heldTool(): Held {
  const running = new Map<number, AbortSignal>()
  const stopped: number[] = []
  const begun = new Map<number, () => void>()
  let peak = 0
  let open = (): void => {}
  const released = new Promise<void>((resolve) => void (open = resolve))
  const tool = defineTool({
    ...FACTS, name: 'hold', title: 'Hold', summary: 'Runs until it is let go.', input: INPUT, output: OUTPUT, touches: () => [],
    async run({ n }, _services, { signal }) {
      running.set(n, signal)
      peak = Math.max(peak, running.size)
      begun.get(n)?.()
      const gone = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          stopped.push(n)
          resolve()
        })
      })
      await Promise.race([released, gone])
      running.delete(n)
      return { n }
    },
  })
  return {
    tool, running, stopped, peak: () => peak, release: () => open(),
    begun: (n) => new Promise((resolve) => (running.has(n) ? resolve() : void begun.set(n, resolve))),
  }
}

/** Counts to `n`, telling at each step. */
export const countingTool: Tool = defineTool({
  ...FACTS, name: 'count', title: 'Count', summary: 'Counts, and tells how far it is.', input: INPUT, output: OUTPUT, touches: () => [],
  async run({ n }, _services, { progress }) {
    for (let done = 1; done <= n; done += 1) {
      progress(done, n, `step ${done}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { n }
  },
})

/** Says who called, after as many turns of the loop as the number asks for, so that calls overlap and overtake. */
export const whoTool: Tool = defineTool({
  ...FACTS, name: 'who', title: 'Who', summary: 'Gives the number back, and who called.', input: INPUT,
  output: z.strictObject({ n: z.number(), subject: echoed(z.string()) }), touches: () => [],
  async run({ n }, _services, { subject }) {
    for (let turn = 0; turn < (n * 7) % 11; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    return { n, subject }
  },
})
