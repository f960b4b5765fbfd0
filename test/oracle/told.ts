/** A declaration as an oracle tells it. */
export interface Told {
  readonly name: string
  readonly kind: string
  /** Where its name stands; from 1. */
  readonly line: number
  /** Where it begins, as far as the oracle knows. */
  readonly start?: number
}
