/** The arguments of bubblewrap (bwrap(1)): what sandboxed code sees, and nothing else is there. */

export interface SandboxPlan {
  readonly bwrap: string
  /** Where this process's own Node.js is for whoever starts the sandbox. */
  readonly node: string
  /** A folder that the code finds, read-only, at {@link COPY}. */
  readonly copy?: string
  /** Names below the working folder, each with the descriptor that its content is read from. */
  readonly files: readonly (readonly [name: string, fd: number])[]
  readonly seccompFd: number
  /** Bytes of the working folder and of the temporary one together. */
  readonly diskBytes: number
}

export const WORK = '/work'
export const COPY = '/copy'
const NODE = '/opt/node/bin/node'
/** What the loader of programs reads, and the links that distributions lay through /etc. No accounts, hosts or keys. */
const ETC = ['/etc/ld.so.cache', '/etc/alternatives'] as const
/** Links or folders, as the distribution has it. */
const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const
export const SANDBOX_PATH = '/opt/node/bin:/usr/local/bin:/usr/bin:/bin'
/** A number without a name, which is all that the code learns of who it runs as. */
const INSIDE_ID = '1000'
/** Of shared memory. */
const SHM_BYTES = 16_000_000

/** The place of a system folder on this machine: a link to somewhere below /usr, or a folder of its own. */
export type LinkOf = (path: string) => string | undefined

export function bwrapArguments(plan: SandboxPlan, linkOf: LinkOf): readonly string[] {
  const system = SYSTEM.flatMap((path) => {
    const target = linkOf(path)
    return target === undefined ? ['--ro-bind-try', path, path] : ['--symlink', target, path]
  })
  return [
    plan.bwrap,
    '--unshare-all', '--unshare-user', '--disable-userns', '--uid', INSIDE_ID, '--gid', INSIDE_ID, '--hostname', 'sandbox',
    '--die-with-parent', '--new-session', '--cap-drop', 'ALL',
    '--clearenv', ...environment(),
    '--ro-bind', '/usr', '/usr', ...system, ...ETC.flatMap((path) => ['--ro-bind-try', path, path]),
    '--ro-bind', plan.node, NODE,
    '--proc', '/proc', '--dev', '/dev', '--size', String(SHM_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev',
    '--size', String(plan.diskBytes), '--tmpfs', WORK, '--dir', `${WORK}/tmp`, '--symlink', `${WORK}/tmp`, '/tmp',
    ...plan.files.flatMap(([name, fd]) => ['--ro-bind-data', String(fd), `${WORK}/${name}`]),
    ...(plan.copy === undefined ? [] : ['--ro-bind', plan.copy, COPY]),
    '--remount-ro', '/', '--chdir', WORK,
    '--seccomp', String(plan.seccompFd), '--',
  ]
}

const environment = (): readonly string[] =>
  Object.entries({ PATH: SANDBOX_PATH, HOME: WORK, TMPDIR: `${WORK}/tmp`, LANG: 'C.UTF-8' }).flatMap(([name, value]) => ['--setenv', name, value])

/** Where the other user finds what it could not enter elsewhere. */
const SHOWN = '/run'

/** Shows two places below a fresh folder in a mount namespace of its own, then becomes what follows. */
const SHOW = `fail() { echo 'bwrap: no place to show files' >&2; exit 1; }
mount -t tmpfs -o size=64k,mode=755 tmpfs ${SHOWN} || fail
: > ${SHOWN}/node && mount --bind "$1" ${SHOWN}/node && mount -o remount,bind,ro ${SHOWN}/node || fail
if [ -n "$2" ]; then mkdir ${SHOWN}/copy && mount --bind "$2" ${SHOWN}/copy && mount -o remount,bind,ro ${SHOWN}/copy || fail; fi
shift 2
exec "$@"`

/**
 * As root the sandbox is made by another user, who may enter neither our folder nor, perhaps, that of Node.js. So both
 * are shown to that user where everybody can go. All of it is in a process namespace whose first process bubblewrap
 * becomes: of a bubblewrap that dies while it still makes the sandbox, what it began would live on, and a namespace takes
 * it along (pid_namespaces(7)). Root alone stays in between: a parent without the right to signal another user would not
 * take it along when it dies (prctl(2), PR_SET_PDEATHSIG).
 */
export function throughOtherUser(plan: SandboxPlan, withServer: readonly string[], prefix: readonly string[], inner: (plan: SandboxPlan) => readonly string[]): readonly string[] {
  const [node, copy] = [`${SHOWN}/node`, `${SHOWN}/copy`]
  return [
    ...withServer,
    '/usr/bin/unshare', '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--',
    '/usr/bin/env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', '/bin/sh', '-c', SHOW, 'sh', plan.node, plan.copy ?? '',
    ...prefix,
    ...inner({ ...plan, node, ...(plan.copy !== undefined && { copy }) }),
  ]
}
