/** Goes on with a conversation that was held over a folder, here or by an agent of another program. */

import { createConversation } from '../assistant/index.ts'
import type { Conversation } from '../assistant/index.ts'
import { ConfigError } from '../config/index.ts'
import type { Kept } from './kept-sessions.ts'

/** Lines of an earlier conversation that are read back. */
const MAX_ENTRIES = 200

/** What is said from here on is kept under the same id. @throws ConfigError when the folder has no such session. */
export async function resumeSession({ sessions, workspace }: Kept, id: string): Promise<{ readonly conversation: Conversation; readonly kept: Kept }> {
  const entries = await sessions.read(workspace, id, MAX_ENTRIES)
  if (entries === undefined) throw new ConfigError(['--session: the folder has no such session'])
  const conversation = createConversation()
  for (const entry of entries) if (entry.kind !== 'called') conversation.add({ kind: entry.kind, text: entry.text })
  return { conversation, kept: { sessions: { ...sessions, open: () => id }, workspace } }
}
