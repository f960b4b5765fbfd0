/**
 * What a process finds open. Node marks its own descriptors to be closed, but not every one that it inherited
 * itself: whoever started the server may have left some open, and each of those is covered with nothing.
 */

import { openSync, readdirSync, readFileSync } from 'node:fs'
import type { Command } from './command.ts'

/** A number is a descriptor of ours; `ignore` leaves what is above the standard three as it is. */
type Stdio = 'ignore' | 'pipe' | number

/** O_CLOEXEC as the kernel writes it (proc_pid_fdinfo(5)). */
const CLOSE_ON_EXEC = 0o2000000
/** Beyond this the list that covers them would cost more than it is worth; such a start is refused. */
const MAX_DESCRIPTOR = 4096

export function stdioFor({ stdin, handed = [] }: Pick<Command, 'stdin' | 'handed'>): Stdio[] {
  const given: Stdio[] = [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', ...handed.map((): Stdio => 'pipe')]
  for (const fd of inheritable()) {
    if (fd > MAX_DESCRIPTOR) throw new Error('a descriptor that would be inherited cannot be covered')
    while (given.length <= fd) given.push('ignore')
    if (given[fd] === 'ignore') given[fd] = (nothing ??= openSync('/dev/null', 'r'))
  }
  return given
}

let nothing: number | undefined

/** Descriptors that a child would get without being given them. Empty where the system does not say. */
function inheritable(): readonly number[] {
  try {
    return readdirSync('/proc/self/fdinfo').map(Number).filter((fd) => fd > 2 && isInherited(fd))
  } catch {
    return []
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0'
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // The one through which the list itself was read.
    return false
  }
}
