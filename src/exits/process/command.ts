/** What a process is started with, and what came of it. There is no shell in between, ever. */

export interface Command {
  /** An absolute path, then the arguments as they are. */
  readonly argv: readonly [program: string, ...args: string[]]
  readonly cwd: string
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** Absent is an input that is at its end. */
  readonly stdin?: Uint8Array
  /** Read by the process from descriptors 3, 4 and so on; it has no others but the standard three. */
  readonly handed?: readonly Uint8Array[]
  /** Milliseconds until everything of it is killed. */
  readonly wallMs: number
  /** Bytes of both streams together; the first byte more kills it. */
  readonly maxOutputBytes: number
  /** Resident bytes of it and its descendants together. Watched on Linux, several times a second. */
  readonly maxMemoryBytes?: number
  readonly signal?: AbortSignal
}

/** One piece of output. */
export interface Piece {
  readonly from: 'stdout' | 'stderr'
  readonly bytes: Uint8Array
}

/** What ended the process: itself, or one of the limits of its command. */
export type End = 'exit' | 'wall' | 'output' | 'memory' | 'abort'

export interface Finished {
  readonly end: End
  readonly exitCode: number | null
  readonly signal: string | null
  /** In the order of arrival, never more than the cap. */
  readonly output: readonly Piece[]
  /** Wall time in milliseconds. */
  readonly durationMs: number
}
