/** Runs the lines of the secret cases: the joined text is redacted, and no part of the secret may be left. */

import { createScanner } from '../../src/services/secrets/index.ts'
import type { Case, Verdict } from './case.ts'
import { expand } from './expand.ts'

export interface SecretInput {
  readonly parts?: readonly string[]
  readonly text?: string
}

export interface SecretCase extends Case<SecretInput> {
  /** The secret in pieces. */
  readonly secretParts?: readonly string[]
  /** More lines of it, each in pieces. */
  readonly secretLines?: readonly (readonly string[])[]
  /** Personal data that must be gone. */
  readonly pii?: readonly string[]
  /** Text that must survive. */
  readonly keep?: readonly string[]
}

/** A shorter piece may be in the text by chance. */
const MIN_PIECE = 6

const scanner = createScanner()

/** The first way in which the output is wrong, in words. */
function faultOf({ expect, secretParts = [], secretLines = [], pii = [], keep = [] }: SecretCase, text: string, output: string): string | undefined {
  if (expect === 'allow') return output === text ? undefined : `changed to ${output.slice(0, 100)}`
  if (output === text) return 'nothing was redacted'
  const gone = [...[secretParts, ...secretLines].flatMap((parts) => [parts.join(''), ...parts.filter(({ length }) => length >= MIN_PIECE)]), ...pii]
  const left = gone.filter((one) => one !== '' && output.includes(one)).length
  if (left > 0) return `${left} of ${gone.length} pieces left`
  const lost = keep.find((one) => !output.includes(one))
  if (lost !== undefined) return `lost ${lost}`
  return scanner.redact(output).text === output ? undefined : 'the second pass changed the text'
}

export const runSecretCase = async (line: SecretCase): Promise<Verdict> => {
  const text = expand(line.input, line.input.text)
  const fault = faultOf(line, text, scanner.redact(text).text)
  return { right: fault === undefined, got: fault ?? (line.expect === 'allow' ? 'unchanged' : 'redacted') }
}
