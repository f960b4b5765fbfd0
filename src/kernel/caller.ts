/** Who calls. Built by a door from verified facts only; nothing in a message can change it. */

/** `task` is no way in from outside: it is the work of a task that came in by one of the others. */
export type Door = 'library' | 'stdio' | 'http' | 'cli' | 'api' | 'task'

export type ClaimValue = string | number | boolean | readonly (string | number | boolean)[]

/** Claims of a verified token by name, as far as the operator named them. */
export type Claims = Readonly<Record<string, ClaimValue>>

export interface Caller {
  /** Verified identity: the token's subject, `local` without auth, or empty for an anonymous caller. */
  readonly subject: string
  readonly scopes: ReadonlySet<string>
  /** Key of the rate bucket. Equal for all tokens of one subject, well-formed, and of no two callers the same. */
  readonly bucket: string
  /** Beside the subject; they bind parameters of queries and decide nothing else. */
  readonly claims?: Claims
}

const NO_SCOPES: ReadonlySet<string> = new Set()

/** Nobody in particular: every component that has a scope is unknown to it. */
export const ANONYMOUS: Caller = Object.freeze({ subject: '', scopes: NO_SCOPES, bucket: 'anonymous' })

/** The one caller of a server without auth: the operator's own machine. */
export const localCaller = (scopes: ReadonlySet<string>): Caller =>
  Object.freeze({ subject: 'local', scopes, bucket: 'local' })

export const principal = (subject: string, scopes: ReadonlySet<string>, claims?: Claims): Caller =>
  Object.freeze({ subject, scopes, bucket: bucketOf(subject), ...(claims && { claims }) })

const HALF = /\p{Cs}/u

/** Half a character has no UTF-8 form of its own: in a digest or a file two such names would be one, so it is spelled out. */
const bucketOf = (subject: string): string => (HALF.test(subject) ? `u:${JSON.stringify(subject)}` : `s:${subject}`)
