/** The arguments of `docker run` and `podman run`, which are alike in all that is used here. */

import type { Limits } from './backend.ts'

export interface ContainerPlan {
  readonly engine: string
  readonly image: string
  /** Unguessable, so that a run is stopped by name when its client is gone. */
  readonly name: string
  /** Which server it belongs to. */
  readonly label: string
  /** The folder on our side, read-only inside. */
  readonly folder: string
  readonly hasInput: boolean
}

export const INSIDE = '/copy'
const WORK = '/work'
/** The overflow user (user_namespaces(7)): it owns nothing in any image. */
const NOBODY = '65534:65534'
const MAX_OPEN_FILES = 256

export function containerArguments(plan: ContainerPlan, limits: Limits): readonly string[] {
  const { cpuSeconds, memoryBytes, processes, diskBytes } = limits
  return [
    plan.engine, 'run', '--rm', '--init', ...(plan.hasInput ? ['--interactive'] : []),
    '--name', plan.name, '--label', plan.label, '--pull', 'never', '--log-driver', 'none',
    '--network', 'none', '--ipc', 'private', '--hostname', 'sandbox',
    '--user', NOBODY, '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges',
    '--read-only', '--tmpfs', `${WORK}:rw,nosuid,nodev,exec,size=${diskBytes},mode=1777`, '--tmpfs', `/tmp:rw,nosuid,nodev,size=${diskBytes},mode=1777`,
    '--mount', `type=bind,source=${plan.folder},target=${INSIDE},readonly`, '--workdir', WORK,
    '--pids-limit', String(processes), '--memory', String(memoryBytes), '--memory-swap', String(memoryBytes), '--cpus', '1',
    '--ulimit', `cpu=${cpuSeconds}:${cpuSeconds + 1}`, '--ulimit', `fsize=${diskBytes}:${diskBytes}`,
    '--ulimit', `nofile=${MAX_OPEN_FILES}:${MAX_OPEN_FILES}`, '--ulimit', 'core=0:0',
    '--env', `HOME=${WORK}`, '--env', `TMPDIR=${WORK}`, '--env', 'LANG=C.UTF-8',
    // Whatever the image would start first is not started.
    '--entrypoint', '', plan.image,
  ]
}

/** Brings the copied tree to where it may be written, then becomes the command. */
export const COPY_THEN_RUN = ['/bin/sh', '-c', `cp -R ${INSIDE}/. ${WORK}/ && exec "$@"`, 'sh'] as const
