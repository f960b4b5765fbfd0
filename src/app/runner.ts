/** Wires what runs code. Where it was asked for a runner that this machine cannot have, the start ends here. */

import { existsSync } from 'node:fs'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { openScratchRoot } from '../exits/disk/scratch.ts'
import type { ScratchRoot } from '../exits/disk/scratch.ts'
import { startOf } from '../exits/process/process-table.ts'
import type { Runner } from '../kernel/ports/runner.ts'
import { refusal } from '../kernel/refusal.ts'
import { createSlots } from '../services/limits/slots.ts'
import { createContainer, createRunner, createSandbox, createSubprocess, createWasm, splitCommand } from '../services/runner/index.ts'
import type { Backend, Limits } from '../services/runner/index.ts'
import type { AppOptions } from './ports.ts'

/** Runs at once in this process, and of one caller. */
const [MAX_RUNS, MAX_RUNS_PER_CALLER] = [8, 2]
/** Threads of one run at once: a snippet is one program, a test suite starts several. */
const [SNIPPET_PROCESSES, TEST_PROCESSES] = [64, 256]
/** Bytes that a snippet may write, and a test run beside its copy. */
const [SNIPPET_DISK_BYTES, TEST_DISK_BYTES] = [64_000_000, 256_000_000]

/** @throws ConfigError when the runner that was asked for cannot run here, or the test command cannot be read. */
export function openRunner(settings: Settings, { log, replace, engineEnv }: AppOptions, choose = backendOf): Runner {
  if (!settings.execEnabled || replace?.services?.runner) return DISABLED
  const scratch = scratchOf(settings)
  const backend = choose(settings, scratch, engineEnv)
  const problem = backend.problem()
  if (backend.name === 'subprocess') announce(problem, (line) => log?.(JSON.stringify({ event: 'warning', problem: line })))
  else if (problem !== undefined) throw new ConfigError([`ARROWHEAD_EXEC_RUNNER: ${backend.name} cannot run here: ${problem}`])
  // What a killed server left is taken away now; without a folder there is nothing.
  if (existsSync(settings.execWorkdir)) scratch()
  const limits: Omit<Limits, 'wallMs' | 'processes' | 'diskBytes'> = {
    cpuSeconds: settings.execCpuSeconds, memoryBytes: settings.execMemoryBytes, maxOutputBytes: settings.execMaxOutputBytes,
  }
  return createRunner({
    backend,
    places: createSlots(MAX_RUNS, MAX_RUNS_PER_CALLER),
    redact: lazyRedact(),
    snippet: { ...limits, wallMs: settings.execWallSeconds * 1000, processes: SNIPPET_PROCESSES, diskBytes: SNIPPET_DISK_BYTES, maxCodeBytes: settings.execMaxCodeBytes },
    tests: {
      ...limits, wallMs: settings.execTestWallSeconds * 1000, cpuSeconds: Math.max(limits.cpuSeconds, Math.ceil(settings.execTestWallSeconds)),
      processes: TEST_PROCESSES, diskBytes: settings.execMaxCopyBytes + TEST_DISK_BYTES,
      command: commandOf(settings), repoRoot: settings.repoRoot, excludedFolders: new Set(settings.repoExcludedDirs),
      maxFiles: settings.execCopyMaxFiles, maxBytes: settings.execMaxCopyBytes,
    },
  })
}

/** Made by the first run that needs it. */
function scratchOf({ execWorkdir: root }: Settings): () => ScratchRoot {
  let opened: ScratchRoot | undefined
  return () => (opened ??= openScratchRoot({ root, start: startOf('self'), isAlive }))
}

/** The runner that the settings name. */
export function backendOf(settings: Settings, scratch = scratchOf(settings), engineEnv?: Readonly<Record<string, string>>): Backend {
  const { execRunner, execWorkdir: workdir, execContainerImage: image = '' } = settings
  switch (execRunner) {
    case 'sandbox':
      return createSandbox({ scratch })
    case 'container':
      return createContainer({ image, scratch, ...(engineEnv && { engineEnv }) })
    case 'wasm':
      return createWasm()
    default:
      return createSubprocess({ workdir, scratch })
  }
}

/** A number may be given out again, so where the system tells, the start must be the same too. */
function isAlive(pid: number, start: string): boolean {
  if (start !== '') return startOf(pid) === start
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM'
  }
}

const announce = (problem: string | undefined, say: (line: string) => void): void => {
  say('ARROWHEAD_EXEC_RUNNER is subprocess: code that callers write reaches the network and every file that its user may read. Set it to sandbox (bubblewrap) or container, and see docs/explain/runners.md')
  if (problem !== undefined) say(`ARROWHEAD_EXEC_RUNNER: nothing will be run: ${problem}`)
}

function commandOf({ execTestCommand = '' }: Settings): readonly string[] {
  const split = splitCommand(execTestCommand)
  if (split.ok) return split.argv
  throw new ConfigError([`ARROWHEAD_EXEC_TEST_COMMAND: ${split.problem}`])
}

function lazyRedact(): (text: string) => Promise<{ readonly text: string; readonly count: number }> {
  let loaded: Promise<(text: string) => { readonly text: string; readonly count: number }> | undefined
  const load = async (): Promise<(text: string) => { readonly text: string; readonly count: number }> => {
    const scanner = (await import('../services/secrets/index.ts')).createScanner()
    return (text) => scanner.redact(text)
  }
  return async (text) => (text === '' ? { text, count: 0 } : (await (loaded ??= load()))(text))
}

/** Stands where nothing is offered that could use it. */
const DISABLED: Runner = {
  runSnippet: () => Promise.reject(refusal('exec.unavailable')),
  runTests: () => Promise.reject(refusal('exec.unavailable')),
}
