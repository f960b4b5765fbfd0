/**
 * Limits of processes do not bind root, so where the server is root each run becomes a user of its own: one that
 * owns nothing, can signal nobody, and shares no count with another run.
 */

import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { findProgram } from './find-program.ts'
import { processesOf } from './process-table.ts'

export interface BorrowedUser {
  readonly uid: number
  /** What to put before the arguments of a program that must run as this user. */
  readonly prefix: readonly string[]
  /** Kills whatever still runs as this user, waits for its end, and gives the number back. */
  release(): Promise<void>
}

/** The range that no distribution gives out (systemd, "Users, Groups, UIDs and GIDs"); 2^28 numbers. */
const FIRST_UID = 1_879_048_192
/** Runs of one server at a time. With at most 2^22 process ids, every run on a machine has its own number. */
const SEATS = 64
/** Threads of one process do not know of each other's runs, so each has seats of its own. */
const SHARES = 4
/** Of -1000 to 1000 (proc_pid_oom_score_adj(5)). */
const ENDED_FIRST = 500
/** How often, and with how many milliseconds between, the end of killed processes is looked for. */
const [LOOKS, LOOK_MS] = [100, 20]
const taken = new Set<number>()

export const isRoot = (): boolean => process.getuid?.() === 0

/** @returns undefined where the server is no root and stays who it is. @throws RangeError when all numbers are taken. */
export function borrowUser(): BorrowedUser | undefined {
  const setpriv = findProgram('setpriv')
  if (!isRoot() || setpriv === undefined) return undefined
  const seat = Array.from({ length: SEATS }, (_, index) => index).find((index) => index % SHARES === threadId % SHARES && !taken.has(index))
  if (seat === undefined) throw new RangeError('no user number is free')
  taken.add(seat)
  const uid = FIRST_UID + (process.pid % 2 ** 22) * SEATS + seat
  const choom = findProgram('choom')
  // Where memory runs out, code that a caller wrote goes first; the mark is set while there is the right to keep it.
  const first = choom === undefined ? [] : [choom, '-n', String(ENDED_FIRST), '--']
  const prefix = [...first, setpriv, '--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--pdeathsig', 'KILL', '--']
  return {
    uid, prefix,
    async release() {
      for (let look = 0; look < LOOKS && processesOf(uid).length > 0; look += 1) {
        killAll(prefix)
        await pause(LOOK_MS)
      }
      taken.delete(seat)
    },
  }
}

/** From all that this user may signal, which is its own processes, none is left. */
function killAll(prefix: readonly string[]): void {
  const [program = '', ...args] = [...prefix, findProgram('kill') ?? 'kill', '-KILL', '--', '-1']
  spawnSync(program, args, { stdio: 'ignore', env: {}, cwd: '/' })
}
