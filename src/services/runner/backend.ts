/** What each runner does in its own way; what they have in common is done once, around them. */

import type { Finished } from '../../exits/process/command.ts'
import type { Language } from '../../kernel/ports/runner.ts'

type BackendName = 'subprocess' | 'sandbox' | 'container' | 'wasm'

/** How much of the machine one run may use. */
export interface Limits {
  readonly wallMs: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly maxOutputBytes: number
  /** Processes and threads at once. */
  readonly processes: number
  /** Bytes that it may write to its folder; of one file, where a whole cannot be limited. */
  readonly diskBytes: number
}

export type Work =
  | { readonly kind: 'snippet'; readonly language: Language; readonly code: Uint8Array; readonly stdin: Uint8Array }
  /** `fill` writes the copied files, and may refuse. */
  | { readonly kind: 'tests'; readonly argv: readonly string[]; readonly fill: (write: (names: readonly string[], bytes: Uint8Array) => void) => void }

export interface Backend {
  readonly name: BackendName
  /** Why this cannot run here at all, in words for the operator; undefined when it can. Looks once. */
  problem(): string | undefined
  /** @throws Refusal `exec.unavailable` where this work is not for this runner or not for this machine. */
  run(work: Work, limits: Limits, signal: AbortSignal): Promise<Finished>
}

/** Names of the file that holds a snippet. */
export const SNIPPET_FILES = { python: 'snippet.py', javascript: 'snippet.js' } as const satisfies Record<Language, string>
