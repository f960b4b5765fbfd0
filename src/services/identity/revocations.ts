/**
 * Tokens and subjects that no longer count, although they are signed and in time. The list is a text that may
 * change while the server runs; whatever goes wrong with it then, nobody who was on it gets back in by that.
 */

/** Hands over a text at once and after each change, undefined where it cannot be read. @returns what ends it. */
export type WatchText = (onText: (text: string | undefined) => void) => () => void

export interface TokenNames {
  readonly jti: string | undefined
  readonly subject: string
  /** Hex digests of the token, in each spelling that it has. */
  readonly sha256: readonly string[]
}

export interface Revocations {
  /** Whether the list names the token, or whom it was given to, at this moment. */
  names(token: TokenNames): boolean
  close(): void
}

/**
 * Follows a list of `jti:VALUE`, `sub:VALUE` and `sha256:HEX` lines; blank lines and comments after `#` at the
 * start of a line say nothing, and white space around a value does not count. A text that cannot be read, or that
 * has another line, takes no entry off the last good list.
 * @param onProblem hears a sentence of ours for each such text.
 * @throws TypeError when the first text cannot be read as a whole.
 */
export function openRevocations(watch: WatchText, onProblem: (problem: string) => void): Revocations {
  const list: { good?: ReadonlySet<string>; held: ReadonlySet<string> } = { held: new Set() }
  const stop = watch((text) => {
    const { entries, isGood } = readList(text)
    if (isGood) list.good = entries
    else if (list.good) onProblem(text === undefined ? UNREADABLE : OTHER_LINE)
    list.held = new Set([...(list.good ?? []), ...entries])
  })
  if (!list.good) {
    stop()
    throw new TypeError('the list of revoked tokens cannot be read, or has a line that is no entry')
  }
  return {
    names({ jti, subject, sha256 }) {
      const { held } = list
      if (held.size === 0) return false
      return sha256.some((one) => held.has(`sha256:${one}`)) || held.has(`sub:${subject.trim()}`) || (jti !== undefined && held.has(`jti:${jti.trim()}`))
    },
    close: stop,
  }
}

const UNREADABLE = 'the list of revoked tokens cannot be read; the last one stays in force'
const OTHER_LINE = 'the list of revoked tokens has a line that is no entry; nothing is taken off the list until it is gone'

const ENTRY = /^(?:jti|sub):\s*(?=\S)|^sha256:\s*(?=[0-9a-f]{64}$)/i

function readList(text: string | undefined): { readonly entries: ReadonlySet<string>; readonly isGood: boolean } {
  const entries = new Set<string>()
  let isGood = text !== undefined
  for (const line of (text ?? '').split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue
    const kind = ENTRY.exec(line)?.[0]
    if (kind === undefined) isGood = false
    else entries.add(entryOf(kind, line.slice(kind.length)))
  }
  return { entries, isGood }
}

function entryOf(kind: string, value: string): string {
  const name = kind.slice(0, kind.indexOf(':')).toLowerCase()
  return `${name}:${name === 'sha256' ? value.toLowerCase() : value}`
}
