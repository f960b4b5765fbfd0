/** What a door hands to the app: where things are, where lines go, and whatever it replaces. */

import type { AuditTrail } from '../kernel/audit.ts'
import type { Authorizer } from '../kernel/authorizer.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Nonces, RateStore } from '../kernel/limits.ts'
import type { Resource, Prompt } from '../kernel/resource.ts'
import type { Services } from '../kernel/services.ts'
import type { Inspector, Tool } from '../kernel/tool.ts'

/**
 * Takes one log line (JSON, without its end). @returns false when it could not be written. `now` says that an
 * effect waits for it, so that it must not be gathered with later lines.
 */
export interface Log {
  (line: string, now?: boolean): boolean
  /** Takes what becomes a line when it is written: a log that gathers lines makes them one after the other, which is faster. */
  later?<Of>(lineOf: (of: Of) => string, of: Of): boolean
}

export interface AppOptions {
  /** Folder for databases and keys. @default none: the platform's, which the door works out */
  readonly dataDir?: string
  /** Variables that tell the client of docker or podman where its engine is. @default none: the client's own default */
  readonly engineEnv?: Readonly<Record<string, string>>
  /** Absolute; what `~` is and where relative local paths begin. @default those of the process */
  readonly home?: string
  readonly cwd?: string
  /** The config file that was read; files of the person are changed, never this one. */
  readonly configFile?: string
  /** Takes one log line. @default no log */
  readonly log?: Log
  /** Components of the user's own, under the same chain. */
  readonly tools?: readonly Tool[]
  readonly resources?: readonly Resource[]
  readonly prompts?: readonly Prompt[]
  /** Addresses that this process listens on; they are never fetched. */
  readonly ownAddresses?: () => readonly { readonly address: string; readonly port: number }[]
  /** Adapters to use instead of the embedded ones. */
  readonly replace?: Replacements
}

export interface Replacements {
  readonly clock?: Clock
  readonly services?: Partial<Services>
  readonly authorizer?: Authorizer
  /** What `touches` and `rise` of the user's own tools look through. */
  readonly inspector?: Inspector
  readonly rates?: RateStore
  readonly nonces?: Nonces
  /** Null keeps no trail. */
  readonly trail?: AuditTrail | null
  /** Null keeps no telemetry, whatever the settings say: for commands that end at once. */
  readonly telemetry?: null
}
