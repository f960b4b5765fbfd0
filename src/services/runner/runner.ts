/**
 * What every runner has in common: how many run at once, how large a snippet may be, what a test run copies, and
 * that no credential leaves with the output. Which backend runs was chosen at start; there is no second choice.
 */

import { copyFiles } from '../../exits/disk/copy-files.ts'
import type { Finished, Piece } from '../../exits/process/command.ts'
import type { RunFor, Runner, RunReport } from '../../kernel/ports/runner.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Backend, Limits, Work } from './backend.ts'

/** Places to run in; `undefined` when there is none. */
export interface Places {
  take(subject: string): { release(): void } | undefined
}

export interface RunnerOptions {
  readonly backend: Backend
  readonly places: Places
  /** Takes credentials out of a text. */
  readonly redact: (text: string) => Promise<{ readonly text: string; readonly count: number }>
  readonly snippet: Limits & { readonly maxCodeBytes: number }
  readonly tests: Limits & {
    /** Empty: there is none, and tests are refused. */
    readonly command: readonly string[]
    readonly repoRoot: string
    readonly excludedFolders: ReadonlySet<string>
    readonly maxFiles: number
    readonly maxBytes: number
  }
}

export function createRunner(options: RunnerOptions): Runner {
  const { backend, places, redact, snippet: forSnippets, tests: forTests } = options

  const run = async (work: Work, limits: Limits, { subject, signal }: RunFor): Promise<RunReport> => {
    const place = places.take(subject)
    if (place === undefined) throw refusal('concurrency.full', 'wait for a run to end, then try again')
    try {
      return await report(await backend.run(work, limits, signal), redact)
    } finally {
      place.release()
    }
  }

  return {
    async runSnippet({ language, code, stdin }, runFor) {
      const bytes = Buffer.from(code)
      const { maxCodeBytes } = forSnippets
      if (bytes.length > maxCodeBytes) throw refusal('content.too-large', `a snippet has at most ${maxCodeBytes} bytes`)
      return run({ kind: 'snippet', language, code: bytes, stdin: Buffer.from(stdin) }, forSnippets, runFor)
    },

    async runTests(pathPrefix, runFor) {
      const { command, repoRoot: root, excludedFolders: without, maxFiles, maxBytes } = forTests
      if (command.length === 0) throw refusal('exec.no-command', 'the operator must set ARROWHEAD_EXEC_TEST_COMMAND')
      const fill = (take: (names: readonly string[], bytes: Uint8Array) => void): void => {
        if (copyFiles({ root, below: pathPrefix, without, maxFiles, maxBytes, take }) === 0) throw refusal('file.unavailable', 'there is no file to copy')
      }
      return run({ kind: 'tests', argv: command, fill }, forTests, runFor)
    },
  }
}

async function report(finished: Finished, redact: RunnerOptions['redact']): Promise<RunReport> {
  const { end, exitCode, signal, output, durationMs } = finished
  const truncated = end === 'output'
  const [stdout, stderr] = await Promise.all([redact(textOf(output, 'stdout', truncated)), redact(textOf(output, 'stderr', truncated))])
  return {
    exitCode, signal, truncated,
    stdout: stdout.text,
    stderr: stderr.text,
    durationMs: Math.round(durationMs),
    timedOut: end === 'wall' || signal === 'SIGXCPU',
    redactions: stdout.count + stderr.count,
  }
}

/** A character that the cap split is left out. */
function textOf(output: readonly Piece[], from: Piece['from'], cut: boolean): string {
  const text = Buffer.concat(output.filter((piece) => piece.from === from).map(({ bytes }) => bytes)).toString('utf8')
  return cut ? text.replace(/\uFFFD$/, '') : text
}
