/** The checks behind `doctor` for what starts programs: a snippet in each language is really run, and so is a sandbox. */

import type { Settings } from '../config/index.ts'
import { LANGUAGES } from '../kernel/ports/runner.ts'
import type { Language, Runner } from '../kernel/ports/runner.ts'
import { canSandbox } from '../services/commands/index.ts'
import { fail, ok, warn } from './finding.ts'
import type { Finding } from './finding.ts'
import { backendOf, openRunner } from './runner.ts'

const NEXT: Readonly<Record<string, string>> = {
  subprocess: 'better than repairing it: set ARROWHEAD_EXEC_RUNNER to sandbox',
  sandbox: 'install bubblewrap and util-linux, and allow unprivileged user namespaces; or set ARROWHEAD_EXEC_RUNNER to container',
  container: 'install docker or podman; or set ARROWHEAD_EXEC_RUNNER to sandbox',
  wasm: 'install the package again; or set ARROWHEAD_EXEC_RUNNER to sandbox',
}
const TIMEOUT_MS = 20_000
const SNIPPETS: Readonly<Record<Language, string>> = { python: 'print(6 * 7)', javascript: 'console.log(6 * 7)' }

/** @param open makes the runner of the settings; a test gives its own. */
export async function diagnoseRunner(settings: Settings, engineEnv?: Readonly<Record<string, string>>, open: typeof openRunner = openRunner): Promise<Finding> {
  if (!settings.execEnabled) return ok('nothing runs code')
  const { name, problem } = { name: settings.execRunner, problem: backendOf(settings, undefined, engineEnv).problem() }
  const next = NEXT[name] ?? ''
  if (problem !== undefined) return fail(`the ${name} runner cannot run here: ${problem}`, next)
  const runner = open(settings, { ...(engineEnv && { engineEnv }) })
  const tried = await Promise.all(LANGUAGES.map((language) => runs(runner, language)))
  const running = LANGUAGES.filter((_, at) => tried[at])
  if (running.length === 0) return fail(`the ${name} runner starts nothing that ends well`, next)
  const missing = LANGUAGES.filter((_, at) => !tried[at])
  const lacks = missing.length === 0 ? '' : `; ${missing.join(' and ')} does not run`
  if (name === 'subprocess') return warn(`${running.join(' and ')} runs in the subprocess runner, which reaches the network and the files of its user${lacks}`, 'set ARROWHEAD_EXEC_RUNNER to sandbox')
  if (missing.length > 0) return warn(`code runs in the ${name} runner: ${running.join(' and ')}${lacks}`, `install what runs ${missing.join(' and ')}; or ${next}`)
  return ok(`code runs in the ${name} runner: ${running.join(' and ')}`)
}

async function runs(runner: Runner, language: Language): Promise<boolean> {
  try {
    const { exitCode, stdout } = await runner.runSnippet({ language, code: SNIPPETS[language], stdin: '' }, { subject: 'doctor', signal: AbortSignal.timeout(TIMEOUT_MS) })
    return exitCode === 0 && stdout.trim() === '42'
  } catch {
    return false
  }
}

/** Whether programs of the assistant get a sandbox; without one they run bare. @param starts starts one and looks. */
export function diagnoseCommands({ security }: Settings, starts = canSandbox): Finding {
  if (security?.['default_shell_access'] !== true) return ok('the assistant starts no programs')
  return starts() ? ok('programs of the assistant run in a sandbox') : warn('programs of the assistant run without a sandbox', 'install bubblewrap, and allow unprivileged user namespaces')
}
