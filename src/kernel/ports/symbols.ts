/** Declarations of source code, found by grammars. Nothing of the code is run. */

export const LANGUAGES = [
  'c', 'cpp', 'csharp', 'go', 'java', 'javascript', 'kotlin', 'markdown', 'php', 'python', 'ruby', 'rust', 'scala', 'shell', 'swift',
  'tsx', 'typescript',
] as const
export type Language = (typeof LANGUAGES)[number]

export const SYMBOL_KINDS = [
  'class', 'constant', 'constructor', 'enum', 'field', 'file', 'function', 'heading', 'interface', 'macro', 'member', 'method', 'module',
  'property', 'struct', 'trait', 'type', 'union', 'variable',
] as const
export type SymbolKind = (typeof SYMBOL_KINDS)[number]

export interface Declaration {
  readonly name: string
  readonly kind: SymbolKind
  /** Names of the declarations around it, joined by a dot; empty at the top. */
  readonly container: string
  /** From its start to its body, on one line, at most 300 characters. */
  readonly signature: string
  /** The comment before it, or the docstring in it, without its marks; at most 2,000 characters. */
  readonly doc: string
  /** From 1, inclusive. Decorators and attributes belong to a declaration, comments before it do not. */
  readonly startLine: number
  readonly endLine: number
  /** Where the name stands. */
  readonly nameLine: number
}

export interface Outline {
  /** In the order of the text. */
  readonly declarations: readonly Declaration[]
  /** Why the list is not what the file holds: `time` ran out, or the parser failed (`syntax`). */
  readonly problem?: 'time' | 'syntax'
}

export interface Symbols {
  /** By the name of a file; undefined where there is no grammar for it. */
  languageOf(path: string): Language | undefined
  /** Never throws for what the text holds. @throws Refusal that the signal carries. */
  declarationsOf(text: string, language: Language, signal?: AbortSignal): Promise<Outline>
  close(): Promise<void>
}
