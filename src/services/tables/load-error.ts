/** What is wrong with a file, and on which line of it, in words for whoever made the file. */

export class LoadError extends Error {
  override readonly name = 'LoadError'
  /** From 1; undefined where it is the file as a whole. */
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(message)
    this.line = line
  }
}

/** The second reading of a file was not the first. */
export const CHANGED = 'the file changed while it was read; nothing of it is in the database'
/** Nobody waited for the answer to the transaction that counts. */
export const STOPPED_LATE = 'stopped while the last transaction ran, so it may or may not have taken place; arrowhead data tables tells'
