/**
 * The `subprocess` runner: an ordinary process under the kernel's limits. It does not keep code from the network,
 * nor from files that its user may read; `docs/explain/runners.md` lists what it does not stop.
 */

import { dirname } from 'node:path'
import { closedToOthers } from '../../exits/disk/scratch.ts'
import type { Scratch, ScratchRoot } from '../../exits/disk/scratch.ts'
import type { Finished } from '../../exits/process/command.ts'
import { findProgram, SYSTEM_FOLDERS } from '../../exits/process/find-program.ts'
import { limited } from '../../exits/process/limits.ts'
import { borrowUser, isRoot } from '../../exits/process/own-user.ts'
import type { BorrowedUser } from '../../exits/process/own-user.ts'
import { threadsOf } from '../../exits/process/process-table.ts'
import { runCommand } from '../../exits/process/run-command.ts'
import { refusal } from '../../kernel/refusal.ts'
import { SNIPPET_FILES } from './backend.ts'
import type { Backend, Limits, Work } from './backend.ts'
import { ONLY_FOR_SERVER, WHILE_SERVER_LIVES } from './only-for-server.ts'
import { addressBytes, callOf, interpreterOf } from './interpreters.ts'

const MAX_OPEN_FILES = 256

export interface SubprocessOptions {
  readonly workdir: string
  readonly scratch: () => ScratchRoot
}

export function createSubprocess({ workdir, scratch }: SubprocessOptions): Backend {
  const problem = (): string | undefined => {
    if (!isRoot()) return undefined
    if (findProgram('setpriv') === undefined) return 'as root it needs setpriv (util-linux): limits of processes do not bind root'
    const closed = closedToOthers(workdir)
    return closed && `as root it runs code as another user, who may not enter ${closed}: set ARROWHEAD_EXEC_WORKDIR to a folder below one that everybody may enter`
  }
  return {
    name: 'subprocess',
    problem,
    async run(work, limits, signal) {
      if (problem() !== undefined) throw refusal('exec.unavailable', 'the operator can ask doctor what is missing')
      const user = borrowUser()
      const folder = scratch().open(user?.uid)
      try {
        return await runIn(folder, { work, limits, signal, user })
      } finally {
        // The processes first: they must not write where it is being tidied.
        await user?.release()
        await folder.remove()
      }
    },
  }
}

interface Job {
  readonly work: Work
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly user: BorrowedUser | undefined
}

async function runIn(scratch: Scratch, { work, limits, signal, user }: Job): Promise<Finished> {
  const call = fill(scratch, work)
  const [program = '', ...args] = [...guards(limits, user), ...kernelLimits(work, limits, user), ...call]
  const { folder } = scratch
  return runCommand({
    argv: [program, ...args],
    cwd: folder,
    env: { PATH: [dirname(process.execPath), ...SYSTEM_FOLDERS].join(':'), HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
    ...(work.kind === 'snippet' && work.stdin.length > 0 && { stdin: work.stdin }),
    wallMs: limits.wallMs,
    maxOutputBytes: limits.maxOutputBytes,
    maxMemoryBytes: limits.memoryBytes,
    signal,
  })
}

/** Puts what is run into the folder. @returns how it is called from there. */
function fill(scratch: Scratch, work: Work): readonly string[] {
  if (work.kind === 'tests') {
    work.fill((names, bytes) => scratch.write(names, bytes))
    return work.argv
  }
  const interpreter = interpreterOf(work.language)
  if (interpreter === undefined) throw refusal('exec.unavailable', 'this language is not installed here')
  scratch.write([SNIPPET_FILES[work.language]], work.code)
  return callOf(work.language, interpreter, SNIPPET_FILES[work.language])
}

/**
 * A parent that is not the server, ends with it, and keeps the time even when nobody else does; then a user without
 * a way to more rights.
 */
function guards({ wallMs }: Limits, user: BorrowedUser | undefined): readonly string[] {
  const [setpriv, timeout] = [findProgram('setpriv'), findProgram('timeout')]
  const keeper = timeout === undefined ? [] : [timeout, '-s', 'KILL', String(Math.ceil(wallMs / 1000) + 5)]
  if (setpriv === undefined) return [...keeper, ...(user?.prefix ?? [])]
  const withServer = [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--']
  const own = user?.prefix ?? withServer
  return keeper.length > 0 ? [...withServer, ...ONLY_FOR_SERVER, ...keeper, ...own, ...WHILE_SERVER_LIVES] : [...own, ...ONLY_FOR_SERVER]
}

const kernelLimits = (work: Work, limits: Limits, user: BorrowedUser | undefined): readonly string[] =>
  limited({
    cpuSeconds: limits.cpuSeconds,
    dataBytes: limits.memoryBytes,
    addressBytes: addressBytes(limits.memoryBytes, work.kind === 'snippet' ? work.language : undefined),
    // The kernel counts all that a user runs, so whoever is not alone gets room on top of that.
    processes: limits.processes + (user === undefined ? threadsOf(process.getuid?.() ?? 0) : 0),
    fileBytes: limits.diskBytes,
    openFiles: MAX_OPEN_FILES,
  })
