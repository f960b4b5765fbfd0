/** Pieces of text as whole lines, so that what is taken out of a line is gone before any of it is shown. */
export class LineFeed {
  #rest = ''
  readonly #take: (line: string) => void

  /** @param take hears each line with its end; the last may have none. */
  constructor(take: (line: string) => void) {
    this.#take = take
  }

  push(piece: string): void {
    // What came before has no line end, and is not looked at again.
    const end = piece.lastIndexOf('\n') + 1
    if (end > 0) this.#take(this.#rest + piece.slice(0, end))
    this.#rest = (end > 0 ? '' : this.#rest) + piece.slice(end)
  }

  end(): void {
    if (this.#rest !== '') this.#take(this.#rest)
    this.#rest = ''
  }
}
