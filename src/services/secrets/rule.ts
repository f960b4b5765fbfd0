/**
 * What a rule is: a type, how sure a match of it is, the literals at which it starts looking, and examples.
 * A rule never searches: the prefilter finds its literals in one pass and asks it there.
 */

/** Offsets into the text that was scanned, in UTF-16 units; the end is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** @param at where the anchor begins. Looks at a bounded stretch around it, unless what it returns is longer. */
export type Find = (text: string, at: number) => Span | undefined

export interface Anchor {
  /** At least three characters, ASCII. */
  readonly literal: string
  /** Whether the literal also counts in other letter cases. */
  readonly anyCase?: boolean
  readonly find: Find
}

interface Common {
  /** Upper case with underscores, as it stands in the placeholder. */
  readonly type: string
  /** Of two overlapping matches the one of higher rank names the finding. */
  readonly rank: number
  /** Templates of texts that hold exactly one match, marked by « and »; without marks all of it is the match. */
  readonly yes: readonly string[]
  /** Templates of texts in which nothing is found. */
  readonly no: readonly string[]
}

export interface SecretRule extends Common {
  readonly kind: 'secret'
  readonly anchors: readonly Anchor[]
}

export interface PersonalRule extends Common {
  readonly kind: 'personal'
  readonly anchors?: readonly Anchor[]
  /** Asked where a group of digits begins that at least eight more digits follow closely. */
  readonly onNumber?: Find
  /** Asked at every `@`. */
  readonly onAt?: Find
}

export type Rule = SecretRule | PersonalRule

export const RANK = {
  privateKey: 100, vendor: 90, jwt: 80, url: 70, header: 60, assignment: 50,
  iban: 40, card: 38, nationalId: 36, ssn: 34, email: 32, phone: 20,
} as const
