/** Whether this machine can sandbox: by doing it once, and looking from inside at what holds. */

import { findProgram } from '../../exits/process/find-program.ts'
import { limited } from '../../exits/process/limits.ts'
import { borrowUser, isRoot } from '../../exits/process/own-user.ts'
import { runBriefly } from '../../exits/process/run-briefly.ts'
import { maySeccomp, seccompFilter } from '../../exits/process/seccomp.ts'
import { sandboxCall } from './sandbox-call.ts'

/** What a process in the sandbox reads of itself (proc_pid_status(5)), and what it means when it is not so. */
const MUST_HOLD: readonly (readonly [line: RegExp, otherwise: string])[] = [
  [/^Uid:\t1000\t1000\t1000\t1000$/m, 'code would not run as a user of its own'],
  [/^CapEff:\t0+$/m, 'code would keep capabilities'],
  [/^CapBnd:\t0+$/m, 'code could gain capabilities'],
  [/^NoNewPrivs:\t1$/m, 'code could gain rights through set-user-id programs'],
  [/^Seccomp:\t2$/m, 'system calls would not be filtered'],
]
const PROBE_LIMITS = { cpuSeconds: 10, dataBytes: 100_000_000, addressBytes: 1_000_000_000, processes: 16, fileBytes: 1_000_000, openFiles: 64 }
const PROBE_DISK_BYTES = 1_000_000
const MAX_QUOTE = 200

/** @returns what is missing, in words for the operator, or undefined when all of it holds. */
export function sandboxProblem(): string | undefined {
  if (process.platform !== 'linux') return 'bubblewrap needs Linux'
  const bwrap = findProgram('bwrap')
  if (bwrap === undefined) return 'bubblewrap (bwrap) is not installed'
  const missing = ['prlimit', ...(isRoot() ? ['setpriv'] : [])].find((name) => findProgram(name) === undefined)
  if (missing !== undefined) return `${missing} (util-linux) is not installed`
  if (!maySeccomp()) return 'there is no filter of system calls for this processor'
  return triedOnce(bwrap)
}

function triedOnce(bwrap: string): string | undefined {
  const user = borrowUser()
  try {
    const plan = { bwrap, node: process.execPath, seccompFd: 0, diskBytes: PROBE_DISK_BYTES, files: [] }
    const [program = '', ...args] = [...sandboxCall(plan, user), ...limited(PROBE_LIMITS), '/bin/cat', '/proc/self/status']
    const { exitCode, stdout, stderr } = runBriefly({ argv: [program, ...args], cwd: '/', env: {}, stdin: seccompFilter() })
    if (exitCode !== 0) return `bubblewrap cannot start here: ${stderr.trim().slice(0, MAX_QUOTE) || 'it says nothing'}`
    return MUST_HOLD.find(([line]) => !line.test(stdout))?.[1]
  } finally {
    // One short program ran, and it has ended.
    void user?.release()
  }
}
