/** Opens what a workspace server answers with: the code index of the tree and the conversations held over it. Nothing else exists there. */

import { join } from 'node:path'
import type { Settings } from '../config/index.ts'
import { openDatabase } from '../exits/disk/database.ts'
import { watchFolders } from '../exits/disk/watch-folders.ts'
import type { Clock } from '../kernel/clock.ts'
import type { CodeIndex } from '../kernel/ports/code-index.ts'
import type { Sessions } from '../kernel/ports/sessions.ts'
import type { WorkspaceHistory } from '../kernel/ports/workspace.ts'
import { holdsCredentials } from '../policy/credential-paths.ts'
import { hiddenFiles } from '../policy/workspace-access.ts'
import type { Ground } from '../policy/workspace-place.ts'
import { createCodeIndex } from '../services/code-index/index.ts'
import { createSqliteSessions } from '../services/sessions/index.ts'
import { createSymbols } from '../services/symbols/index.ts'
import { createWorkspaceSearch } from '../services/workspace-search/index.ts'
import type { OpenWorkspaceSearch } from '../services/workspace-search/index.ts'
import { codeSources } from './code-ranker.ts'
import { sessionsFile } from './kept-sessions.ts'
import { treeName } from './tree-name.ts'
import { openRepo } from './repo.ts'

export interface WorkspaceParts {
  readonly settings: Settings
  /** Where indexes and conversations are kept; never shown. */
  readonly dataDir: string
  /** The workspace, without links. */
  readonly cwd: string
  readonly ground: Ground
  readonly clock: Clock
  warn(event: Readonly<Record<string, unknown>>): void
}

export interface OpenWorkspace {
  readonly search: OpenWorkspaceSearch
  readonly history: WorkspaceHistory
  readonly sessions: Sessions
  close(): Promise<void>
}

/** Texts are read whole: what of them is shown is cut after credentials were replaced. */
const MAX_TEXT_BYTES = 4_000_000

/** One of its own: the index that packed context asks holds fewer languages. */
export const indexFile = (dataDir: string, cwd: string): string => join(dataDir, 'workspace-index', `${treeName(cwd)}.sqlite`)

/** Opens nothing on the disk before the first use. */
export function openWorkspace({ settings, dataDir, cwd, ground, clock, warn }: WorkspaceParts): OpenWorkspace {
  const symbols = createSymbols()
  const repo = openRepo({ ...settings, repoRoot: cwd, outputMaxBytes: MAX_TEXT_BYTES }, symbols)
  let index: CodeIndex | undefined
  const watched = watchFolders(cwd, () => search.noteChange())
  const search = createWorkspaceSearch({
    repo, clock,
    index: () => (index ??= createCodeIndex({ file: indexFile(dataDir, cwd), clock, holdsCredentials })),
    look: (signal) => {
      const walk = repo.walk('', { may: () => true, signal }, settings.repoSearchMaxFiles)
      return { sources: codeSources(walk, symbols, signal), isCut: () => walk.stamp().truncated !== undefined }
    },
    watch: (folders) => watched.only(folders),
    hides: hiddenFiles(ground),
    onWithheld: (files) => warn({ event: 'withheld', tool: 'search_code', files }),
    onFault: (error) => warn({ event: 'warning', problem: `code index: ${String(error)}` }),
  })
  const sessions = createSqliteSessions(() => openDatabase(sessionsFile(dataDir)), clock)
  return {
    search, sessions,
    history: { list: (limit) => sessions.list(cwd, limit), read: (id, limit) => sessions.read(cwd, id, limit) },
    async close() {
      watched.close()
      await search.close()
      index?.close()
      sessions.close()
      await repo.close()
    },
  }
}
