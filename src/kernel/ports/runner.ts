/** Runs code that a caller wrote, or the operator's test command, and says what came of it. */

export const LANGUAGES = ['python', 'javascript'] as const
export type Language = (typeof LANGUAGES)[number]

export interface Snippet {
  readonly language: Language
  readonly code: string
  /** What the code finds on its standard input; empty is an input that is at its end. */
  readonly stdin: string
}

/** On whose behalf something runs, and until when. */
export interface RunFor {
  /** Key under which runs are counted. */
  readonly subject: string
  /** The run is killed, whole, when it aborts. */
  readonly signal: AbortSignal
}

export interface RunReport {
  /** Null where a signal or a limit ended the run. */
  readonly exitCode: number | null
  /** Name of the signal that ended it, such as `SIGKILL`. */
  readonly signal: string | null
  /** UTF-8, invalid sequences replaced, credentials taken out. */
  readonly stdout: string
  readonly stderr: string
  /** Wall time in milliseconds. */
  readonly durationMs: number
  /** Whether a limit of time, on the wall or of the processor, ended it. */
  readonly timedOut: boolean
  /** Whether it wrote more than is kept, which ended it. */
  readonly truncated: boolean
  /** Credentials that were taken out of the output. */
  readonly redactions: number
}

export interface Runner {
  /**
   * @throws Refusal `content.too-large`, `concurrency.full`, or `exec.unavailable` where this runner cannot run
   * the language on this machine; another runner is never tried.
   */
  runSnippet(snippet: Snippet, run: RunFor): Promise<RunReport>
  /**
   * Runs the operator's test command in a copy of the files at or below a path of the repository; empty is all.
   * @throws Refusal `exec.no-command`, `exec.unavailable`, `concurrency.full`, `path.invalid`, `file.too-large`
   * (more files or bytes than may be copied) or `file.unavailable` (nothing is there).
   */
  runTests(pathPrefix: string, run: RunFor): Promise<RunReport>
}
