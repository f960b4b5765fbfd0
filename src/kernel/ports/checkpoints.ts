/** What a file change leaves behind so that it can be taken back exactly. */

/** What stood, or is to stand, at a place. */
export type Image =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly sha256: string; readonly size: number; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }

export interface Change {
  /** Absolute, as it was opened. */
  readonly path: string
  readonly before: Image
  readonly after: Image
  /** Absolute names of folders that have to be made, the outermost first. */
  readonly made: readonly string[]
}

export interface KeptRun {
  readonly run: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number
  readonly folder: string
}

export interface Checkpoints {
  /** Keeps bytes. @returns their SHA-256, lower-case hex. */
  keep(bytes: Uint8Array): Promise<string>
  bytes(sha256: string, maxBytes: number): Promise<Uint8Array>
  /** On disk when it returns, so before the change itself. */
  begin(run: string, change: Change): Promise<void>
  /** Newest first, without those that were undone. */
  runs(): Promise<readonly KeptRun[]>
  /** The first first. */
  changes(run: KeptRun): Promise<readonly Change[]>
  markUndone(run: KeptRun): Promise<void>
}
