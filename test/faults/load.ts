/** Clients that write through two replicas without end, note what each answer said, and look afterwards at what is there. */

import pg from 'pg'
import { modernCall } from '../replicas/wire.ts'
import type { Answered } from '../replicas/wire.ts'

export interface Noted {
  readonly tool: string
  /** Unlike that of every other call. */
  readonly mark: string
  /** `ok`, or what was said instead. */
  readonly said: string
  readonly tookMs: number
}

export interface Load {
  readonly noted: readonly Noted[]
  /** So many calls from now on have ended. */
  settle(calls: number): Promise<void>
  stop(): Promise<void>
}

const CALLS: readonly ((mark: string) => readonly [string, object])[] = [
  (mark) => ['kv_set', { key: mark, value: mark }],
  (mark) => ['memory_store', { namespace: 'faults', content: `memory ${mark}`, metadata: {} }],
  (mark) => ['task_schedule', { delay_seconds: 3_600, payload: { mark } }],
  (mark) => ['memory_search', { namespace: 'faults', query: mark }],
  () => ['calculate', { expression: '1+1' }],
]

export const isOk = ({ status, message: { result } }: Answered): boolean => status === 200 && result !== undefined && result['isError'] !== true

export const saidOf = ({ status, message: { result, error } }: Answered): string => `${status} ${JSON.stringify(result?.['content'] ?? error ?? '')}`

let marks = 0

export function startLoad(urls: readonly string[], clients: number): Load {
  const noted: Noted[] = []
  let [going, ended] = [true, 0]
  const all = Array.from({ length: clients }, async (_, client) => {
    for (let n = client; going; n += 1) {
      const mark = `mark-${process.pid}-${(marks += 1)}`
      const [tool, args] = (CALLS[n % CALLS.length] ?? CALLS[0])?.(mark) ?? ['', {}]
      const from = performance.now()
      const answer = await modernCall(urls[n % urls.length] ?? '', tool, args).catch((error: unknown): Answered => ({ status: 0, session: null, message: { error: { message: String(error) } } }))
      noted.push({ tool, mark, said: isOk(answer) ? 'ok' : saidOf(answer), tookMs: performance.now() - from })
      ended += 1
    }
  })
  return {
    noted,
    async settle(calls) {
      const wanted = ended + calls
      while (ended < wanted) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    async stop() {
      going = false
      await Promise.all(all)
    },
  }
}

/** Where each kind of write left its mark. */
const MARKS: Readonly<Record<string, string>> = {
  kv_set: "select convert_from(key, 'UTF8') as mark from arrowhead.memory_value",
  memory_store: "select substr(convert_from(content, 'UTF8'), 8) as mark from arrowhead.memory",
  task_schedule: "select args::json->>'mark' as mark from arrowhead.task",
}

export interface Left {
  /** What was acknowledged and is not there. */
  readonly lost: readonly string[]
  /** What is there more than once, or was refused as not done and is there. */
  readonly doubled: readonly string[]
}

/** Compares what was said with what the server holds. */
export async function leftOf(dsn: string, noted: readonly Noted[]): Promise<Left> {
  const client = new pg.Client({ connectionString: dsn })
  await client.connect()
  const [lost, doubled]: string[][] = [[], []]
  for (const [tool, sql] of Object.entries(MARKS)) {
    const times = new Map<string, number>()
    for (const { mark } of (await client.query<{ mark: string }>(sql)).rows) times.set(mark, (times.get(mark) ?? 0) + 1)
    for (const one of noted.filter((each) => each.tool === tool)) {
      const [there, isDone, isUnknown] = [times.get(one.mark) ?? 0, one.said === 'ok', one.said.includes('may have been done')]
      if (isDone && there === 0) lost?.push(`${tool} ${one.mark}`)
      if (there > 1 || (!isDone && !isUnknown && there > 0)) doubled?.push(`${tool} ${one.mark}: ${there}, ${one.said}`)
    }
  }
  await client.end()
  return { lost: lost ?? [], doubled: doubled ?? [] }
}
