/** Outlines of every file of a walk, within limits. A file without a grammar is one entry, never an error. */

import type { RepoSymbol, RepoSymbols } from '../../kernel/ports/repo.ts'
import type { Outline, Symbols } from '../../kernel/ports/symbols.ts'
import type { Walk, WalkedFile } from './walk.ts'

interface Limits {
  readonly maxSymbols: number
  readonly maxAnswerBytes: number
  readonly signal: AbortSignal
}

/** Bytes of one entry besides its strings. */
const ENTRY_BYTES = 90
/** Files whose texts wait for the parser at once. */
const AHEAD = 8

interface Waiting {
  readonly path: string
  readonly text: string
  readonly outline: Promise<Outline>
}

class SymbolList {
  readonly symbols: RepoSymbol[] = []
  fileCount = 0
  limit: 'results' | 'answer' | undefined
  readonly #limits: Limits
  #bytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** @returns whether there is room for more. */
  take(path: string, text: string, { declarations }: Outline): boolean {
    this.fileCount += 1
    if (declarations.length === 0) return this.#put({ path, name: path.slice(path.lastIndexOf('/') + 1), kind: 'file', container: '', startLine: 1, endLine: linesIn(text) })
    return declarations.every(({ name, kind, container, startLine, endLine }) => this.#put({ path, name, kind, container, startLine, endLine }))
  }

  #put(symbol: RepoSymbol): boolean {
    const { maxSymbols, maxAnswerBytes } = this.#limits
    this.#bytes += ENTRY_BYTES + Buffer.byteLength(symbol.path) + Buffer.byteLength(symbol.name) + Buffer.byteLength(symbol.container)
    if (!(this.symbols.length < maxSymbols)) this.limit = 'results'
    else if (!(this.#bytes <= maxAnswerBytes)) this.limit = 'answer'
    else this.symbols.push(symbol)
    return this.limit === undefined
  }
}

/** Lines, at least one; a last line end starts none. */
const linesIn = (text: string): number => Math.max(1, text.split('\n').length - (text.endsWith('\n') ? 1 : 0))

export async function mapSymbols(walk: Walk, symbols: Symbols, limits: Limits): Promise<RepoSymbols> {
  const map = new SymbolList(limits)
  const waiting: Waiting[] = []
  /** @returns whether to go on. */
  const takeFirst = async (): Promise<boolean> => {
    const first = waiting.shift()
    if (first === undefined) return true
    const outline = await first.outline
    if (outline.problem) walk.skip(outline.problem)
    return map.take(first.path, first.text, outline)
  }
  for await (const file of walk as AsyncIterable<WalkedFile>) {
    const text = file.text()
    if (text === undefined) continue
    const language = symbols.languageOf(file.path)
    const outline = language === undefined ? Promise.resolve(NOTHING) : symbols.declarationsOf(text, language, limits.signal)
    // A fault is met when its turn comes, or not at all where the answer is full before.
    outline.catch(() => {})
    waiting.push({ path: file.path, text, outline })
    if (waiting.length >= AHEAD && !(await takeFirst())) break
  }
  while (map.limit === undefined && waiting.length > 0) await takeFirst()
  return { ...walk.stamp(map.limit), fileCount: map.fileCount, symbols: map.symbols }
}

const NOTHING: Outline = { declarations: [] }
