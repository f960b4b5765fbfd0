/** Finds the line of a member in the text of a config file that was read already, so that a person can be shown where a rule stands. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

interface Token {
  readonly text: string
  readonly line: number
}

/**
 * The line, from 1, on which the value of a member begins; for a member of an object, the line of its key.
 * @param path keys of objects and indexes of lists, from the outermost. @returns undefined where there is none.
 */
export function lineOf(text: string, path: readonly (string | number)[]): number | undefined {
  return new Walk(tokensOf(text)).find(path, 1)
}

function tokensOf(text: string): readonly Token[] {
  let [line, from] = [1, 0]
  return [...text.matchAll(TOKEN)].map(({ 0: token, index }) => {
    line += text.slice(from, index).split('\n').length - 1
    from = index
    return { text: token, line }
  })
}

class Walk {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** Looks in the value that begins here, and stops at what it finds. */
  find([name, ...rest]: readonly (string | number)[], line: number): number | undefined {
    if (name === undefined) return line
    const open = this.#next()
    if (open?.text !== '{' && open?.text !== '[') return undefined
    for (let index = 0; !/^[}\]]$/.test(this.#peek?.text ?? '}'); index += 1) {
      const first = this.#peek
      const key = open.text === '{' ? keyOf(this.#next()?.text) : index
      if (open.text === '{') this.#next()
      if (key === name) return this.find(rest, first?.line ?? line)
      this.#skip()
      if (this.#peek?.text === ',') this.#next()
    }
    return undefined
  }

  #skip(): void {
    let depth = 0
    do {
      const text = this.#next()?.text
      if (text === undefined) return
      if (text === '{' || text === '[') depth += 1
      else if (text === '}' || text === ']') depth -= 1
    } while (depth > 0)
  }

  get #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #next(): Token | undefined {
    const token = this.#tokens[this.#at]
    this.#at += 1
    return token
  }
}

function keyOf(text: string | undefined): string | undefined {
  try {
    return JSON.parse(text ?? '') as string
  } catch {
    return undefined
  }
}
