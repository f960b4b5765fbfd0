// Conversations as they are kept: what was asked, what was answered, which tools were called. Arguments and results of calls have no place in them.
import type { Awaitable } from '../awaitable.ts'

/** One line of a conversation; `at` is milliseconds since 1970. Of a call only the tool's name is kept. */
export type SessionEntry =
  | { readonly kind: 'asked' | 'answered'; readonly text: string; readonly at: number }
  | { readonly kind: 'called'; readonly tool: string; readonly at: number }

/** What a listing says of a conversation. `title` is cut from the first question. */
export interface SessionHead {
  readonly id: string
  readonly startedAt: number
  readonly title: string
}

/** The conversations held over one workspace, an absolute folder path that never leaves the machine. */
export interface Sessions {
  /** Begins a conversation under the first line of `title`, which is cut, and answers its id (`[A-Za-z0-9._-]+`, never `.` or `..`). */
  open(workspace: string, title: string): Awaitable<string>
  append(workspace: string, id: string, entry: SessionEntry): Awaitable<void>
  /** Newest first, at most `limit`. */
  list(workspace: string, limit: number): Awaitable<readonly SessionHead[]>
  /** The last `limit` entries, oldest first; `undefined` when there is no such conversation here. */
  read(workspace: string, id: string, limit: number): Awaitable<readonly SessionEntry[] | undefined>
}
