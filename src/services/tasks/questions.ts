/** Questions of work under way, and the answers that somebody brings while it waits. */

import { get, run } from '../../kernel/ports/store.ts'
import type { Steps, StoreRow } from '../../kernel/ports/store.ts'
import type { Questions, Replies } from '../../kernel/question.ts'
import { refusal } from '../../kernel/refusal.ts'

/** Work that is this process's to do. */
interface Held {
  readonly id: string
  readonly fence: number
}

/** Answers of one task, as JSON. */
const MAX_REPLY_BYTES = 262_144

const read = (row: StoreRow, column: 'asks' | 'replies'): Readonly<Record<string, never>> =>
  (typeof row[column] === 'string' ? JSON.parse(row[column]) : {}) as Readonly<Record<string, never>>

/** Those without an answer yet. */
export function openQuestions(row: StoreRow): Questions {
  if (typeof row['asks'] !== 'string') return {}
  const replies = read(row, 'replies')
  return Object.fromEntries(Object.entries(read(row, 'asks') as Questions).filter(([name]) => !Object.hasOwn(replies, name)))
}

/** Answers that came before, to an earlier run of the same work, stay good. */
export function* ask({ id, fence }: Held, questions: Questions): Steps<void> {
  yield* run("UPDATE task SET asks = ? WHERE id = ? AND fence = ? AND status = 'working'", JSON.stringify(questions), id, fence)
}

/** The answers once all are there; undefined while one is missing. @throws Refusal when the work is no longer this process's. */
export function* repliesTo({ id, fence }: Held, questions: Questions): Steps<Replies | undefined> {
  const row = yield* get("SELECT replies FROM task WHERE id = ? AND fence = ? AND status = 'working'", id, fence)
  if (row === undefined) throw refusal('call.cancelled')
  const replies = read(row, 'replies') as Replies
  const names = Object.keys(questions)
  return names.every((name) => Object.hasOwn(replies, name)) ? Object.fromEntries(names.map((name) => [name, replies[name]])) : undefined
}

export interface Answering {
  readonly owner: string
  readonly taskId: string
  readonly replies: Replies
}

/** Keeps answers to questions that are open. The first answer to a question is the one that counts. */
export function* answer({ owner, taskId, replies }: Answering): Steps<void> {
  const row = yield* get("SELECT asks, replies FROM task WHERE id = ? AND owner = ? AND status = 'working'", taskId, owner)
  if (row === undefined) return
  const open = openQuestions(row)
  const taken = Object.fromEntries(Object.entries(replies).filter(([name]) => Object.hasOwn(open, name)))
  const text = JSON.stringify({ ...read(row, 'replies'), ...taken })
  if (Buffer.byteLength(text) > MAX_REPLY_BYTES) throw refusal('content.too-large', 'give shorter answers')
  yield* run('UPDATE task SET replies = ? WHERE id = ?', text, taskId)
}
