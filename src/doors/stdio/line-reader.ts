/** Splits a byte stream into lines of bounded length. A longer line is skipped to its end and reported once. */

const NEWLINE = 0x0a

export interface LineReader {
  push(chunk: Buffer): void
  /** The stream is over: what is left is a line too. */
  end(): void
}

export interface LineEvents {
  onLine(line: string): void
  onTooLong(): void
  /** The bytes are no UTF-8. */
  onNotText(): void
}

/** A byte order mark stays in the text, where JSON does not allow it (RFC 8259 §8.1). */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @param maxBytes bytes of one line, its end not counted. */
export function createLineReader(maxBytes: number, { onLine, onTooLong, onNotText }: LineEvents): LineReader {
  let parts: Buffer[] = []
  let bytes = 0
  let skipping = false

  const take = (piece: Buffer): void => {
    if (skipping) return
    bytes += piece.length
    if (bytes > maxBytes) {
      skipping = true
      parts = []
      onTooLong()
    } else if (piece.length > 0) parts.push(piece)
  }

  const end = (): void => {
    if (!skipping) {
      const line = textOf(parts)
      if (line === undefined) onNotText()
      else if (line !== '') onLine(line)
    }
    parts = []
    bytes = 0
    skipping = false
  }

  return {
    end,
    push(chunk) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at))
        end()
        from = at + 1
      }
      take(chunk.subarray(from))
    },
  }
}

function textOf(parts: readonly Buffer[]): string | undefined {
  try {
    return trimmed(UTF8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts)))
  } catch {
    return undefined
  }
}

const BLANKS: ReadonlySet<string | undefined> = new Set([' ', '\t', '\r'])

/** By hand: an expression would try the end of the line at each blank inside of it. */
function trimmed(line: string): string {
  let [from, to] = [0, line.length]
  while (BLANKS.has(line[from])) from += 1
  while (to > from && BLANKS.has(line[to - 1])) to -= 1
  return line.slice(from, to)
}
