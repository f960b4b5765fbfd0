/** Limits that the kernel keeps for each process of a run, set by `prlimit` of util-linux. */

import { findProgram } from './find-program.ts'

export interface KernelLimits {
  /** Seconds of processor time for each process: a signal then, the end one second later. */
  readonly cpuSeconds: number
  /** Bytes of private memory for each process. */
  readonly dataBytes: number
  /** Bytes of address space for each process; runtimes that reserve more than they use need more of it. */
  readonly addressBytes: number
  /** Threads of the user that it runs as. */
  readonly processes: number
  /** Bytes of each file that is written. */
  readonly fileBytes: number
  /** Files open at once in each process. */
  readonly openFiles: number
}

/** What to put before a program's own arguments. Empty where there is no `prlimit`: then only the wall clock limits. */
export function limited(limits: KernelLimits, prlimit = findProgram('prlimit')): readonly string[] {
  if (prlimit === undefined) return []
  const { cpuSeconds, dataBytes, addressBytes, processes, fileBytes, openFiles } = limits
  return [
    prlimit, `--cpu=${cpuSeconds}:${cpuSeconds + 1}`, `--data=${dataBytes}`, `--as=${addressBytes}`, `--nproc=${processes}`,
    `--fsize=${fileBytes}`, `--nofile=${openFiles}`, '--core=0', '--memlock=0', '--msgqueue=0', '--',
  ]
}
