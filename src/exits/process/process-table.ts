/** What Linux tells of running processes (proc_pid_stat(5), proc_pid_status(5)). Elsewhere there is nothing to read. */

import { readdirSync, readFileSync, statSync } from 'node:fs'

const KIB = 1024

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** When a process started, in ticks since the machine did: with the number, it names one process for ever. Empty when it is gone. */
export const startOf = (pid: number | 'self'): string => read(`/proc/${pid}/stat`).replace(/^.*\) /s, '').split(' ')[19] ?? ''

const field = (status: string, name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)

/**
 * Memory of a process and all below it. Pages that several share are counted once, but that is only looked into
 * when the quick sum is above `suspicious`.
 */
export function residentBytes(root: number, suspicious: number): number {
  const all = processIds().map((pid) => {
    const status = read(`/proc/${pid}/status`)
    return { pid, parent: field(status, 'PPid'), resident: field(status, 'VmRSS') * KIB }
  })
  const children = new Map<number, typeof all>()
  for (const one of all) children.set(one.parent, [...(children.get(one.parent) ?? []), one])
  const family: typeof all = all.filter(({ pid }) => pid === root)
  for (let at = 0; at < family.length; at += 1) family.push(...(children.get(family[at]?.pid ?? 0) ?? []))
  const quick = family.reduce((sum, { resident }) => sum + resident, 0)
  return quick <= suspicious ? quick : family.reduce((sum, { pid, resident }) => sum + (shareOf(pid) ?? resident), 0)
}

function shareOf(pid: number): number | undefined {
  const rollup = read(`/proc/${pid}/smaps_rollup`)
  return rollup === '' ? undefined : field(rollup, 'Pss') * KIB
}

/** Processes of a user that have not ended. */
export const processesOf = (uid: number): readonly number[] =>
  processIds().filter((pid) => {
    try {
      return statSync(`/proc/${pid}`).uid === uid && !/^State:\s*[ZX]/m.test(read(`/proc/${pid}/status`))
    } catch {
      return false
    }
  })

/** Threads that a user has running, which is what the limit of processes counts (getrlimit(2), RLIMIT_NPROC). */
export const threadsOf = (uid: number): number => processesOf(uid).reduce((sum, pid) => sum + field(read(`/proc/${pid}/status`), 'Threads'), 0)
