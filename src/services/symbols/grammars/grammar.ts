/** What a language needs besides its grammar: which nodes are declarations, and how its comments look. */

/**
 * The query names a whole declaration by its kind and its name by `@name`. `@scope` is a node that is no declaration
 * but gives those in it a container. `@owner`, right beside a name, says the container where nesting does not.
 */
export interface Grammar {
  /** The file below `grammars/`, without its endings. */
  readonly wasm: string
  readonly query: string
  /** By node, the name that the language gives where none is written: its keyword is captured as `@name`. */
  readonly implied?: Readonly<Record<string, string>>
  /** Nodes around a declaration that begin it: exports, decorators, templates. */
  readonly wrappers?: readonly string[]
  /** Lines right before a declaration that belong to it. */
  readonly attribute?: RegExp
  /** How lines of comments before a declaration begin; block comments are known. */
  readonly comment: RegExp
  /** Whether the comment stands as a string at the start of the body. */
  readonly docstring?: boolean
}
