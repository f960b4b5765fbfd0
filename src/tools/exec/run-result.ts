import * as z from 'zod'
import { outsideLine, untrusted } from '../../kernel/leaf.ts'
import type { RunReport } from '../../kernel/ports/runner.ts'

/** What a run came to, as both tools answer it. */
export const runResult = z.strictObject({
  exit_code: z.int().nullable(),
  signal: outsideLine(z.string()).nullable(),
  stdout: untrusted(z.string()),
  stderr: untrusted(z.string()),
  duration_ms: z.number(),
  timed_out: z.boolean(),
  truncated: z.boolean(),
  redactions: z.int(),
})

export const resultOf = ({ exitCode, signal, stdout, stderr, durationMs, timedOut, truncated, redactions }: RunReport): z.input<typeof runResult> => ({
  exit_code: exitCode, signal, stdout, stderr, duration_ms: durationMs, timed_out: timedOut, truncated, redactions,
})
