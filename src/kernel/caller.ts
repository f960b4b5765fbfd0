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
  /** Key of the rate bucket. Equal for all tokens of one subject. */
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
  Object.freeze({ subject, scopes, bucket: `s:${subject}`, ...(claims && { claims }) })
