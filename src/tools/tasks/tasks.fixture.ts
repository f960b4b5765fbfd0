/** Two callers over one registry of tasks, through the whole chain, with a scan that a test lets end. */

import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import type { Outcome } from '../../kernel/call.ts'
import { untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { scratchFolder } from '../../testing/scratch-folder.ts'
import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'

const SCOPES = ['docs:scan', 'tasks:read', 'tasks:write']

interface Scan {
  /** Everything that the scan was called with, in order. */
  readonly prefixes: string[]
  /** Scans that were stopped. */
  stopped: number
  /** Lets every scan end, those to come too. */
  release(): void
}

/** Stands in for the tool that does the work. */
const fakeScan = (scan: Scan, gate: Promise<void>) => defineTool({
  name: 'doc_scan', title: 'Scan documents', summary: 'Scans.', scope: 'docs:scan', level: 'SAFE', effect: 'read',
  idempotent: true, openWorld: false, perMinute: 1000, uses: [],
  input: z.strictObject({ path_prefix: z.string().default('') }),
  output: z.strictObject({ finding_count: z.int(), first: untrusted(z.string()) }),
  examples: [{ title: 'All', input: {} }],
  touches: ({ path_prefix }) => [access('scan', 'prefix', path_prefix)],
  async run({ path_prefix }, _services, { signal }) {
    scan.prefixes.push(path_prefix)
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    stopped.catch(() => (scan.stopped += 1))
    if (path_prefix === 'broken') throw new Error('a disk broke')
    await Promise.race([gate, stopped])
    return { finding_count: 2, first: `found in ${path_prefix}` }
  },
})

export interface Callers extends TestApp {
  readonly scan: Scan
  alice(name: string, args?: object): Promise<Outcome>
  bob(name: string, args?: object): Promise<Outcome>
  /** Polls a task of alice until it is no longer working. */
  ended(taskId: unknown): Promise<Readonly<Record<string, unknown>>>
}

export function callers(settings: object = {}): Callers {
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => void (open = resolve))
  const scan: Scan = { prefixes: [], stopped: 0, release: () => open() }
  const app = testApp({ settings: { rateLimitEnabled: false, dataDir: scratchFolder('data'), ...settings }, options: { tools: [fakeScan(scan, gate)] } })
  const as = (subject: string) => (name: string, args: object = {}) => app.call(name, args, app.app.callerOf(subject, SCOPES))
  const alice = as('alice')
  return {
    ...app, scan, alice, bob: as('bob'),
    async ended(taskId) {
      for (;;) {
        const state = fieldsOf(await alice('task_get', { task_id: taskId }))
        if (state['status'] !== 'working') return state
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  }
}

/** The fields of an answer; empty for everything else. */
export const fieldsOf = (outcome: Outcome): Readonly<Record<string, unknown>> => (outcome.is === 'ok' ? outcome.answer.value : {})

/** Waits until something is so. */
export async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5))
}
