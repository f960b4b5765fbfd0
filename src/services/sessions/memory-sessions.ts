/** Conversations in memory, for tests and for what must not outlive its process. */

import type { Clock } from '../../kernel/clock.ts'
import type { SessionEntry, SessionHead, Sessions } from '../../kernel/ports/sessions.ts'
import { SESSION_LIMITS, checkLimit, isSessionId, keptEntry, noSession, sessionFull, titleOf } from './session-rules.ts'
import type { SessionLimits } from './session-rules.ts'

interface Kept {
  readonly head: SessionHead
  readonly entries: SessionEntry[]
}

/** @param newId unguessable, of `[A-Za-z0-9._-]`. */
export function createMemorySessions(clock: Pick<Clock, 'now'>, newId: () => string, limits: SessionLimits = SESSION_LIMITS): Sessions {
  const workspaces = new Map<string, Map<string, Kept>>()
  const found = (workspace: string, id: string): Kept | undefined => (isSessionId(id) ? workspaces.get(workspace)?.get(id) : undefined)
  return {
    open(workspace, title) {
      const all = workspaces.get(workspace) ?? new Map<string, Kept>()
      workspaces.set(workspace, all)
      const head: SessionHead = { id: newId(), startedAt: clock.now(), title: titleOf(title) }
      all.set(head.id, { head, entries: [] })
      // A map keeps its order, so the first is the oldest.
      for (const id of all.keys()) if (all.size > limits.maxSessions) all.delete(id)
      return head.id
    },
    append(workspace, id, entry) {
      const kept = found(workspace, id)
      if (!kept) throw noSession()
      if (kept.entries.length >= limits.maxEntries) throw sessionFull()
      kept.entries.push(keptEntry(entry, limits))
    },
    list(workspace, limit) {
      checkLimit(limit)
      const heads = [...(workspaces.get(workspace)?.values() ?? [])].map(({ head }) => head).reverse()
      return heads.sort((a, b) => b.startedAt - a.startedAt).slice(0, limit)
    },
    read(workspace, id, limit) {
      checkLimit(limit)
      return found(workspace, id)?.entries.slice(-limit)
    },
  }
}
