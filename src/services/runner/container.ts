/**
 * The `container` runner: one container of docker or podman for each run, without network, rights or a writable
 * root. An engine's client that ends does not end its container, so each is also removed by its name.
 */

import type { ScratchRoot } from '../../exits/disk/scratch.ts'
import type { Finished } from '../../exits/process/command.ts'
import { findProgram, SYSTEM_FOLDERS } from '../../exits/process/find-program.ts'
import { runCommand } from '../../exits/process/run-command.ts'
import { newId } from '../../exits/random.ts'
import { refusal } from '../../kernel/refusal.ts'
import { SNIPPET_FILES } from './backend.ts'
import type { Backend, Limits, Work } from './backend.ts'
import { containerArguments, COPY_THEN_RUN, INSIDE } from './container-arguments.ts'
import { callOf } from './interpreters.ts'

export interface ContainerOptions {
  readonly image: string
  readonly scratch: () => ScratchRoot
  /** What tells the engine's client where its engine is; the code gets none of it. */
  readonly engineEnv?: Readonly<Record<string, string>>
  /** Where an engine is looked for. @default the system's folders */
  readonly folders?: readonly string[]
}

const REMOVE_MS = 30_000
/** Interpreters as images call them. */
const PROGRAMS = { python: 'python3', javascript: 'node' } as const
/** What the engine's client says when it, and not the code, failed (docker run, "Exit status"). */
const ENGINE_FAILED = 125
const KILLED = 137

export function createContainer({ image, scratch, engineEnv = {}, folders = SYSTEM_FOLDERS }: ContainerOptions): Backend {
  const env = { ...engineEnv, PATH: SYSTEM_FOLDERS.join(':') }
  const engineOf = (): string | undefined => findProgram('docker', folders) ?? findProgram('podman', folders)
  return {
    name: 'container',
    problem: () => (engineOf() === undefined ? 'neither docker nor podman is installed' : undefined),
    async run(work, limits, signal) {
      const engine = engineOf()
      if (engine === undefined) throw refusal('exec.unavailable', 'the operator can ask doctor what is missing')
      const folder = scratch().open(NOBODY_UID)
      const name = `arrowhead-${newId().toLowerCase().replaceAll(/[^a-z0-9]/g, 'x')}-${newId().replaceAll(/[^A-Za-z0-9]/g, 'x')}`
      try {
        if (work.kind === 'tests') work.fill((names, bytes) => folder.write(names, bytes))
        else folder.write([SNIPPET_FILES[work.language]], work.code)
        const before = containerArguments({ engine, image, name, label: `arrowhead.server=${process.pid}`, folder: folder.folder, hasInput: hasInput(work) }, limits)
        return toldApart(await runEngine([...before, ...callIn(work)], { work, limits, signal, env }))
      } finally {
        await removeContainer(engine, name, env)
        await folder.remove()
      }
    },
  }
}

/** Where root serves, the files are this user's; elsewhere they stay ours, and others may read them. */
const NOBODY_UID = process.getuid?.() === 0 ? 65_534 : undefined

const hasInput = (work: Work): boolean => work.kind === 'snippet' && work.stdin.length > 0

const callIn = (work: Work): readonly string[] =>
  work.kind === 'tests' ? [...COPY_THEN_RUN, ...work.argv] : callOf(work.language, PROGRAMS[work.language], `${INSIDE}/${SNIPPET_FILES[work.language]}`)

interface Job {
  readonly work: Work
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly env: Readonly<Record<string, string>>
}

const runEngine = ([program = '', ...args]: readonly string[], { work, limits, signal, env }: Job): Promise<Finished> =>
  runCommand({
    argv: [program, ...args], cwd: '/', env,
    ...(work.kind === 'snippet' && work.stdin.length > 0 && { stdin: work.stdin }),
    wallMs: limits.wallMs, maxOutputBytes: limits.maxOutputBytes, signal,
  })

function toldApart(finished: Finished): Finished {
  if (finished.exitCode === ENGINE_FAILED) throw refusal('exec.unavailable', 'the container engine could not start the image', 'engine')
  return finished.exitCode === KILLED ? { ...finished, exitCode: null, signal: 'SIGKILL' } : finished
}

async function removeContainer(engine: string, name: string, env: Readonly<Record<string, string>>): Promise<void> {
  await runCommand({ argv: [engine, 'rm', '--force', name], cwd: '/', env, wallMs: REMOVE_MS, maxOutputBytes: 10_000 }).catch(() => {})
}
