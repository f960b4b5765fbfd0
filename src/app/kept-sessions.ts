/** Where conversations of the assistant are kept: under the folder they are held in, where a workspace server reads them, and without credentials. */

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config/index.ts'
import { systemClock } from '../exits/clock.ts'
import { openDatabase } from '../exits/disk/database.ts'
import type { Sessions } from '../kernel/ports/sessions.ts'
import { createSqliteSessions } from '../services/sessions/index.ts'
import type { App } from './create-app.ts'
import { withoutCredentials } from './journal.ts'

export interface Kept {
  readonly sessions: Sessions
  /** The folder, without links. */
  readonly workspace: string
}

/** The one database of conversations; a workspace server opens the same. */
export const sessionsFile = (dataDir: string): string => join(dataDir, 'sessions.sqlite')

/**
 * Opens nothing before the first conversation.
 * @param cwd the folder that conversations belong to. @throws ConfigError when it is not there.
 */
export function openKept({ redacted }: Pick<App, 'redacted'>, dataDir: string, cwd: string): Kept & { close(): void } {
  const workspace = realFolder(cwd)
  const sessions = createSqliteSessions(() => openDatabase(sessionsFile(dataDir)), systemClock)
  return { sessions: withoutSecrets(sessions, redacted), workspace, close: () => sessions.close() }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder).normalize('NFC')
  } catch {
    throw new ConfigError(['--cwd: there is no such folder'])
  }
}

/** Characters of one text that are kept. */
const MAX_TEXT = 100_000

/** The same store, whose texts hold no credentials. What cannot be searched for them is not kept. */
export function withoutSecrets(sessions: Sessions, redacted: App['redacted']): Sessions {
  const clean = (text: string): Promise<string> => withoutCredentials(text, MAX_TEXT, redacted)
  return {
    open: async (place, title) => sessions.open(place, await clean(title)),
    append: async (place, id, entry) => sessions.append(place, id, entry.kind === 'called' ? entry : { ...entry, text: await clean(entry.text) }),
    list: (place, limit) => sessions.list(place, limit),
    read: (place, id, limit) => sessions.read(place, id, limit),
  }
}
