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
