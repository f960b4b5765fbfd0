/** Two callers over one registry of tasks, through the whole chain, with a scan that a test lets end. */

import type { Outcome } from '../../kernel/call.ts'
import type { TextScan } from '../../kernel/ports/texts.ts'
import { scratchFolder } from '../../testing/scratch-folder.ts'
import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'

const SCOPES = ['docs:scan', 'tasks:read', 'tasks:write']

interface Scan {
  /** Scans that began. */
  started: number
  /** Whether the next scan fails. */
  breaks: boolean
  /** Scans that were stopped. */
  stopped: number
  /** Lets every scan end, those to come too. */
  release(): void
}

/** Stands in for the scanner below doc_scan, which does the work. */
const fakeScan = (scan: Scan, gate: Promise<void>): TextScan => ({
  async scan(_source, { signal }) {
    scan.started += 1
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    stopped.catch(() => (scan.stopped += 1))
    if (scan.breaks) throw new Error('a disk broke')
    await Promise.race([gate, stopped])
    return { found: [{ path: 'a.md', line: 1, column: 1, type: 'EMAIL', placeholder: '[REDACTED:EMAIL:0123456789ab]' }], truncated: undefined, filesScanned: 2, filesSkipped: 0 }
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
  const scan: Scan = { started: 0, breaks: false, stopped: 0, release: () => open() }
  const app = testApp({ settings: { rateLimitEnabled: false, dataDir: scratchFolder('data'), ...settings }, options: { replace: { services: { scan: fakeScan(scan, gate) } } } })
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
