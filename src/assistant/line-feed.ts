/** Pieces of text as whole lines, so that what is taken out of a line is gone before any of it is shown. */
export class LineFeed {
  #rest = ''
  readonly #take: (line: string) => void

  /** @param take hears each line with its end; the last may have none. */
  constructor(take: (line: string) => void) {
    this.#take = take
  }

  push(piece: string): void {
    this.#rest += piece
    const end = this.#rest.lastIndexOf('\n') + 1
    if (end === 0) return
    this.#take(this.#rest.slice(0, end))
    this.#rest = this.#rest.slice(end)
  }

  end(): void {
    if (this.#rest !== '') this.#take(this.#rest)
    this.#rest = ''
  }
}
