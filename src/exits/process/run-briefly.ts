/** A short look at what this machine can do, before anything is served. For our own programs only. */

import { spawnSync } from 'node:child_process'
import type { Command } from './command.ts'
import { stdioFor } from './descriptors.ts'

const LOOK_MS = 10_000
const MAX_BYTES = 100_000

export interface Look {
  /** Null when it was killed or could not be started. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Waits for it, at most ten seconds. */
export function runBriefly({ argv: [program, ...args], cwd, env, stdin }: Pick<Command, 'argv' | 'cwd' | 'env' | 'stdin'>): Look {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd, env, stdio: stdioFor({ ...(stdin && { stdin }) }), ...(stdin && { input: stdin }),
    timeout: LOOK_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES, encoding: 'utf8',
  })
  return { exitCode: status, stdout: stdout ?? '', stderr: stderr ?? '' }
}
