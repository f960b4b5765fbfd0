/**
 * The ports that a tool may name in `uses`. What a tool does not name does not exist for it.
 * Implementations live in `services/` and `exits/`; the composition root hands them out.
 */

import type { Clock } from './clock.ts'
import type { ContentPort } from './ports/content.ts'
import type { Corpus } from './ports/corpus.ts'
import type { LocalFiles } from './ports/local-files.ts'
import type { Commands, Git, Host } from './ports/host.ts'
import type { TextScan, TextSearch } from './ports/texts.ts'
import type { Webhooks } from './ports/notify.ts'
import type { KeyValues, Memories } from './ports/memory.ts'
import type { Tasks } from './ports/tasks.ts'
import type { Models } from './ports/models.ts'
import type { Sources } from './ports/sources.ts'
import type { Tokens } from './ports/tokens.ts'
import type { WorkingSets } from './ports/working-sets.ts'
import type { Runner } from './ports/runner.ts'
import type { Sql } from './ports/sql.ts'
import type { Repo } from './ports/repo.ts'
import type { Vectors } from './ports/vectors.ts'
import type { Agent } from './ports/agent.ts'
import type { TreeFiles } from './ports/tree-files.ts'
import type { WorkspaceHistory, WorkspaceSearch } from './ports/workspace.ts'

export interface FetchLimits {
  /** Decompressed bytes of the body; more is refused as `egress.too-large`, never cut in silence. */
  readonly maxBytes: number
  /** Wall time for the whole fetch, all hops together. */
  readonly timeoutMs: number
  /** Redirects followed; each hop passes every check again. */
  readonly maxRedirects: number
}

export interface Fetched {
  readonly status: number
  /** Media type and parameters as the server sent them, at most 200 characters, or null. */
  readonly contentType: string | null
  /** The body decoded as UTF-8, invalid sequences replaced. */
  readonly body: string
  /** The body as it came, without its content encoding. */
  readonly bytes: Uint8Array
  /** Where the last hop ended. */
  readonly finalUrl: string
}

/** The guarded way to the public network. */
export interface Egress {
  /**
   * @param approve asked before each redirect is followed; a no is `access.denied`.
   * @throws Refusal with an `egress.*` code, or the one that the signal carries; nothing is sent before every check has passed.
   */
  get(url: string, signal: AbortSignal, approve?: (url: string) => boolean | Promise<boolean>): Promise<Fetched>
}

/** One jailed, read-only root of text files. */
export interface Files {
  /** @throws Refusal `path.invalid`, `file.unavailable`, `file.too-large` or `file.credential`. */
  text(path: string): Promise<string>
}

/** What this deployment offers, as one digest. */
export interface Surface {
  describe(): { readonly digest: string; readonly toolCount: number; readonly profile: string }
}

/** Plain numbers of the operator that tools check against. */
export interface Bounds {
  readonly expressionMaxLength: number
  readonly diffMaxBytes: number
  readonly packMaxTokens: number
}

/** Extended by users of the library through declaration merging. */
export interface Services {
  readonly bounds: Bounds
  readonly clock: Clock
  readonly content: ContentPort
  readonly corpus: Corpus
  readonly egress: Egress
  readonly files: Files
  readonly scan: TextScan
  readonly search: TextSearch
  readonly localFiles: LocalFiles
  readonly host: Host
  readonly commands: Commands
  readonly git: Git
  readonly keyValues: KeyValues
  readonly memories: Memories
  readonly runner: Runner
  readonly sql: Sql
  readonly repo: Repo
  readonly surface: Surface
  readonly tasks: Tasks
  readonly webhooks: Webhooks
  readonly models: Models
  readonly sources: Sources
  readonly tokens: Tokens
  readonly workingSets: WorkingSets
  readonly vectors: Vectors
  /** Only a workspace server has these, and the last only where the operator asked for it; tools that use them exist nowhere else. */
  readonly history?: WorkspaceHistory
  readonly workspace?: WorkspaceSearch
  readonly agent?: Agent
  /** Only the assistant of a workspace has it. */
  readonly tree?: TreeFiles
}
