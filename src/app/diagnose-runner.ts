/** The check behind `doctor` for what runs code. */

import type { Settings } from '../config/index.ts'
import { backendOf } from './runner.ts'

/** As `diagnose.ts` gathers them. */
interface Found {
  readonly state: 'ok' | 'warn' | 'fail'
  readonly what: string
  readonly next?: string
}

const NEXT: Readonly<Record<string, string>> = {
  subprocess: 'better than repairing it: set ARROWHEAD_EXEC_RUNNER to sandbox',
  sandbox: 'install bubblewrap and util-linux, and allow unprivileged user namespaces; or set ARROWHEAD_EXEC_RUNNER to container',
  container: 'install docker or podman; or set ARROWHEAD_EXEC_RUNNER to sandbox',
  wasm: 'install the package again; or set ARROWHEAD_EXEC_RUNNER to sandbox',
}

export const diagnoseRunner = (settings: Settings): Found => {
  if (!settings.execEnabled) return { state: 'ok', what: 'nothing runs code' }
  const backend = backendOf(settings)
  const problem = backend.problem()
  if (problem !== undefined) return { state: 'fail', what: `the ${backend.name} runner cannot run here: ${problem}`, next: NEXT[backend.name] ?? '' }
  if (backend.name !== 'subprocess') return { state: 'ok', what: `code runs in the ${backend.name} runner` }
  return { state: 'warn', what: 'code runs in the subprocess runner, which reaches the network and the files of its user', next: 'set ARROWHEAD_EXEC_RUNNER to sandbox' }
}
