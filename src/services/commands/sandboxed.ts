/**
 * Bubblewrap for programs that look at this machine: everything is read-only, no capability is left, and of the
 * network, the processes and the home folder only what the program is there to show (bwrap(1)).
 */

import { findProgram } from '../../exits/process/find-program.ts'
import { runBriefly } from '../../exits/process/run-briefly.ts'

export type Sees = 'network' | 'processes' | 'home'

export interface View {
  readonly sees: readonly Sees[]
  readonly cwd: string
  readonly home: string
}

/** What stands before the program; the arguments are the program's own. */
export function sandboxed(inner: readonly string[], { sees, cwd, home }: View): readonly string[] {
  const has = (one: Sees): boolean => sees.includes(one)
  return [
    findProgram('bwrap') ?? 'bwrap',
    '--ro-bind', '/', '/', '--dev', '/dev', ...(has('processes') ? ['--ro-bind', '/proc', '/proc'] : ['--unshare-pid', '--proc', '/proc']),
    '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', ...(has('network') ? [] : ['--unshare-net']),
    // Sockets below it lead to services that do more than show.
    ...(has('network') ? [] : ['--tmpfs', '/run']),
    '--tmpfs', '/tmp', ...(has('home') ? ['--ro-bind', home, home, '--ro-bind', cwd, cwd] : ['--tmpfs', home]),
    '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--chdir', has('home') ? cwd : '/', '--', ...inner,
  ]
}

/** Whether it works on this machine: by doing it once. */
export function canSandbox(): boolean {
  if (process.platform !== 'linux' || findProgram('bwrap') === undefined) return false
  const [program = '', ...args] = sandboxed(['/bin/true'], { sees: [], cwd: '/', home: '/tmp' })
  return runBriefly({ argv: [program, ...args], cwd: '/', env: {} }).exitCode === 0
}
