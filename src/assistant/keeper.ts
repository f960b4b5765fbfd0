/** Keeps conversations as sessions, where there is a store for them. A store that fails never stops the work. */

import type { Sessions } from '../kernel/ports/sessions.ts'
import type { Conversation } from './conversation.ts'

export interface Keeper {
  /** One line of a conversation; the first question opens its session. */
  keep(conversation: Conversation, line: { readonly kind: 'asked' | 'answered'; readonly text: string } | { readonly kind: 'called'; readonly tool: string }): Promise<void>
}

export function createKeeper(kept: { readonly sessions: Sessions; readonly workspace: string } | undefined, now: () => number): Keeper {
  const ids = new WeakMap<Conversation, string>()
  return {
    async keep(conversation, line) {
      if (!kept) return
      const { sessions, workspace } = kept
      try {
        let id = ids.get(conversation)
        if (id === undefined) {
          id = await sessions.open(workspace, line.kind === 'called' ? line.tool : line.text)
          ids.set(conversation, id)
        }
        await sessions.append(workspace, id, { ...line, at: now() })
      } catch {
        // The audit has the calls; a conversation that is not kept is no reason to do nothing.
      }
    },
  }
}
