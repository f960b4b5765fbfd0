/** Source text with its credentials taken out, line for line, so that line numbers stay true. */

export interface SecretFinding {
  /** UTF-16 offsets; the end is exclusive. */
  readonly start: number
  readonly end: number
  readonly placeholder: string
}

/** The scanner for credentials, loaded by the first text that needs it. */
export type FindSecrets = (text: string) => readonly SecretFinding[]

export interface CleanSource {
  readonly text: string
  readonly count: number
}

export function cleanSource(text: string, find: FindSecrets): CleanSource {
  const findings = find(text)
  let [out, from] = ['', 0]
  for (const { start, end, placeholder } of findings) {
    // A value may go over several lines: as many are left.
    out += text.slice(from, start) + placeholder + '\n'.repeat(text.slice(start, end).split('\n').length - 1)
    from = end
  }
  return { text: findings.length === 0 ? text : out + text.slice(from), count: findings.length }
}
