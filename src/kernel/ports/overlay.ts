/** Changes that a dry run made: kept aside of the workspace, read back by whoever made them, applied by a person or never. */

export interface OverlayChange {
  /** Below the workspace, names joined by `/`. */
  readonly path: string
  readonly kind: 'created' | 'replaced' | 'removed'
  /** Bytes of what would stand there; 0 for what would be gone. */
  readonly size: number
}

/** What became of one change when all were applied. */
export interface AppliedChange extends OverlayChange {
  /** `changed`: something else stands there than when the change was made, so it was left alone. */
  readonly outcome: 'applied' | 'changed' | 'refused'
}

/**
 * Every method throws Refusal `path.invalid`, `file.credential` or `file.unavailable` as the workspace itself would for
 * that path, and `overlay.full` beyond its room.
 */
export interface Overlay {
  /** As the dry run sees it: what it wrote, else what stands there. @throws Refusal `file.unavailable` for what is not there or was removed. */
  read(path: string): Promise<Uint8Array>
  write(path: string, bytes: Uint8Array): Promise<void>
  /** @throws Refusal `file.unavailable` for what is not there. */
  remove(path: string): Promise<void>
  /** By path. */
  changes(): Promise<readonly OverlayChange[]>
  /** What stands there now and what would, as text; undefined for nothing and for what is no text. */
  texts(path: string): Promise<{ readonly before: string | undefined; readonly after: string | undefined }>
  /** Makes the changes whose places are as they were; those stay no longer aside. */
  apply(): Promise<readonly AppliedChange[]>
  /** @returns how many changes there were. */
  discard(): Promise<number>
}
