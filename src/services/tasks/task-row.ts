/** One row of the table as the words that everybody else uses. */

import { createHash } from 'node:crypto'
import type { Caller } from '../../kernel/caller.ts'
import type { Block } from '../../kernel/answer.ts'
import type { StoreRow } from '../../kernel/ports/store.ts'
import { TASK_STATUSES } from '../../kernel/ports/tasks.ts'
import type { TaskHandle, TaskState, TaskStatus, Work } from '../../kernel/ports/tasks.ts'
import type { Capabilities } from '../../kernel/question.ts'
import type { Fields } from '../../kernel/schema.ts'
import { openQuestions } from './questions.ts'

/** Who a task works for: what is needed to make the caller anew. */
export interface KeptCaller {
  readonly subject: string
  readonly scopes: readonly string[]
  /** The one caller of a server without auth, whom no token can name. */
  readonly isLocal: boolean
  /** What its client can be asked. */
  readonly capabilities?: Capabilities
}

export const keptCaller = ({ subject, scopes, bucket }: Caller): KeptCaller => ({ subject, scopes: [...scopes], isLocal: bucket === 'local' })

export const TIMER = 'timer'

/** An owner as it is stored: of one length, whatever it is called. */
export const digestOf = (owner: string): string => createHash('sha256').update(owner).digest('hex')

/** Columns that a handle and a state are read from. */
export const HANDLE = 'id, status, kind, asks, replies, created_ms'
export const STATE = `${HANDLE}, result, error, is_fault, changed_ms`

export const handleOf = (row: StoreRow): TaskHandle => ({
  taskId: String(row['id']), status: statusOf(row), kind: String(row['kind']), createdMs: Number(row['created_ms']),
})

export function taskOf(row: StoreRow): TaskState {
  const { value, blocks = [] } = (textOf(row['result']) === undefined ? {} : JSON.parse(String(row['result']))) as { value?: Fields; blocks?: readonly Block[] }
  return {
    ...handleOf(row),
    result: value,
    blocks,
    error: textOf(row['error']),
    isFault: row['is_fault'] === 1,
    questions: openQuestions(row),
    changedMs: Number(row['changed_ms']),
  }
}

/** Work that waits for an answer holds its lease like any other; only who looks at it sees the difference. */
function statusOf(row: StoreRow): TaskStatus {
  const status = TASK_STATUSES.find((one): one is TaskStatus => one === row['status']) ?? 'failed'
  return status === 'working' && Object.keys(openQuestions(row)).length > 0 ? 'input_required' : status
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Work that this process holds a lease on. */
export interface Claim {
  readonly id: string
  /** Grows with every claim; whoever has an older one may no longer write. */
  readonly fence: number
  readonly work: Work
  readonly caller: KeptCaller
}

export const claimOf = (row: StoreRow): Claim => ({
  id: String(row['id']),
  fence: Number(row['fence']),
  work: { name: String(row['kind']), args: JSON.parse(String(row['args'])) as Fields },
  caller: JSON.parse(String(row['caller'])) as KeptCaller,
})
