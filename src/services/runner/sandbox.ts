/**
 * The `sandbox` runner: bubblewrap around an ordinary user, with namespaces of its own, a read-only system, no
 * network, a filter of system calls and the kernel's limits. It runs with all of that or not at all.
 */

import { realpathSync } from 'node:fs'
import type { ScratchRoot } from '../../exits/disk/scratch.ts'
import type { Finished } from '../../exits/process/command.ts'
import { findProgram } from '../../exits/process/find-program.ts'
import { limited } from '../../exits/process/limits.ts'
import { borrowUser } from '../../exits/process/own-user.ts'
import type { BorrowedUser } from '../../exits/process/own-user.ts'
import { runCommand } from '../../exits/process/run-command.ts'
import { seccompFilter } from '../../exits/process/seccomp.ts'
import { refusal } from '../../kernel/refusal.ts'
import { SNIPPET_FILES } from './backend.ts'
import type { Backend, Limits, Work } from './backend.ts'
import { COPY, WORK } from './bwrap-arguments.ts'
import type { SandboxPlan } from './bwrap-arguments.ts'
import { addressBytes, callOf, interpreterOf } from './interpreters.ts'
import { sandboxCall } from './sandbox-call.ts'
import { sandboxProblem } from './sandbox-problem.ts'

const MAX_OPEN_FILES = 256
/** Descriptors through which the filter and a snippet are handed over. */
const [FILTER_FD, CODE_FD] = [3, 4] as const
/** Brings the copied tree into the working folder, whose size is limited, then becomes the command. */
const COPY_THEN_RUN = ['/bin/sh', '-c', `cp -R ${COPY}/. ${WORK}/ && exec "$@"`, 'sh'] as const
/** The shell's way to tell of a signal, which bubblewrap uses too. */
const SIGNALS: Readonly<Record<number, string>> = { 132: 'SIGILL', 133: 'SIGTRAP', 134: 'SIGABRT', 135: 'SIGBUS', 136: 'SIGFPE', 137: 'SIGKILL', 139: 'SIGSEGV', 143: 'SIGTERM', 152: 'SIGXCPU', 153: 'SIGXFSZ', 159: 'SIGSYS' }

export interface SandboxOptions {
  readonly scratch: () => ScratchRoot
}

export function createSandbox({ scratch }: SandboxOptions): Backend {
  let looked: { readonly problem: string | undefined } | undefined
  const problem = (): string | undefined => (looked ??= { problem: sandboxProblem() }).problem
  return {
    name: 'sandbox',
    problem,
    async run(work, limits, signal) {
      const bwrap = findProgram('bwrap')
      if (bwrap === undefined || problem() !== undefined) throw refusal('exec.unavailable', 'the operator can ask doctor what is missing')
      const user = borrowUser()
      // Only tests need files on our side: a snippet is handed over, and writes where nothing of ours is.
      const folder = work.kind === 'tests' ? scratch().open(user?.uid) : undefined
      try {
        if (work.kind === 'tests') work.fill((names, bytes) => folder?.write(names, bytes))
        const plan: SandboxPlan = {
          bwrap, node: process.execPath, seccompFd: FILTER_FD, diskBytes: limits.diskBytes,
          files: work.kind === 'snippet' ? [[SNIPPET_FILES[work.language], CODE_FD]] : [],
          ...(folder && { copy: folder.folder }),
        }
        return await runIn(plan, { work, limits, signal, user })
      } finally {
        await user?.release()
        await folder?.remove()
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

async function runIn(plan: SandboxPlan, { work, limits, signal, user }: Job): Promise<Finished> {
  const [program = '', ...args] = [...sandboxCall(plan, user), ...kernelLimits(work, limits), ...callIn(work)]
  const finished = await runCommand({
    argv: [program, ...args],
    cwd: '/',
    env: {},
    ...(work.kind === 'snippet' && work.stdin.length > 0 && { stdin: work.stdin }),
    handed: [seccompFilter(), ...(work.kind === 'snippet' ? [work.code] : [])],
    wallMs: limits.wallMs,
    maxOutputBytes: limits.maxOutputBytes,
    maxMemoryBytes: limits.memoryBytes,
    signal,
  })
  if (hasNotBegun(finished)) throw refusal('exec.unavailable', 'the sandbox could not be made this time', 'bwrap')
  const by = finished.exitCode === null ? undefined : SIGNALS[finished.exitCode]
  return by === undefined ? finished : { ...finished, exitCode: null, signal: by }
}

/** Bubblewrap that fails says so in its own name, and nothing else was started. */
const hasNotBegun = ({ exitCode, output: [first, ...more] }: Finished): boolean =>
  exitCode === 1 && more.length === 0 && first?.from === 'stderr' && Buffer.from(first.bytes).toString().startsWith('bwrap: ')

function callIn(work: Work): readonly string[] {
  if (work.kind === 'tests') return [...COPY_THEN_RUN, ...work.argv]
  const interpreter = work.language === 'javascript' ? 'node' : interpreterOf('python')
  if (interpreter === undefined || (interpreter !== 'node' && !realpathSync(interpreter).startsWith('/usr/'))) {
    throw refusal('exec.unavailable', 'this language is not installed where the sandbox can see it')
  }
  return callOf(work.language, interpreter, `${WORK}/${SNIPPET_FILES[work.language]}`)
}

const kernelLimits = (work: Work, limits: Limits): readonly string[] =>
  limited({
    cpuSeconds: limits.cpuSeconds,
    dataBytes: limits.memoryBytes,
    addressBytes: addressBytes(limits.memoryBytes, work.kind === 'snippet' ? work.language : undefined),
    processes: limits.processes,
    fileBytes: limits.diskBytes,
    openFiles: MAX_OPEN_FILES,
  })
