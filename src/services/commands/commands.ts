/**
 * The `Commands` port: an argument list, a program of the system's own, an environment made from nothing, no terminal,
 * limits, and bubblewrap around it where that works. What may be run is decided elsewhere, and asked twice.
 */

import { limited } from '../../exits/process/limits.ts'
import { runCommand } from '../../exits/process/run-command.ts'
import { systemProgram } from '../../exits/process/system-program.ts'
import type { CommandRun, Commands } from '../../kernel/ports/host.ts'
import { refusal } from '../../kernel/refusal.ts'
import { canSandbox, sandboxed } from './sandboxed.ts'
import type { Sees } from './sandboxed.ts'

export interface Judged {
  readonly program: string
  /** Where the program may be. */
  readonly places: readonly string[]
  readonly args: readonly string[]
  /** Words that name files. */
  readonly files: readonly string[]
  readonly sees: readonly Sees[]
}

export interface CommandsOptions {
  /** @throws Refusal `command.*` */
  judge(argv: readonly string[]): Judged
  /** @throws Refusal `path.*` for a file that may not be read. */
  mayRead(path: string): Promise<unknown>
  /** Absolute; where relative file names begin. */
  readonly cwd: string
  readonly home: string
  readonly wallMs: number
  readonly maxOutputBytes: number
}

const MEMORY_BYTES = 512_000_000
const LIMITS = { cpuSeconds: 20, dataBytes: MEMORY_BYTES, addressBytes: 4_000_000_000, processes: 4_096, fileBytes: 0, openFiles: 256 }
/** Nothing of ours, nothing that makes a program start another one, and no home: programs obey files in it (`~/.jq`, `~/.magic`). */
const ENVIRONMENT: Readonly<Record<string, string>> = { PATH: '/usr/bin:/bin', LANG: 'C', LC_ALL: 'C', TERM: 'dumb', HOME: '/nonexistent', SYSTEMD_PAGER: '', SYSTEMD_COLORS: '0', SYSTEMD_LESS: '', PAGER: '' }

export function createCommands({ judge, mayRead, cwd, home, wallMs, maxOutputBytes }: CommandsOptions): Commands {
  let sandbox: boolean | undefined
  return {
    judge(argv) {
      const { program, files } = judge(argv)
      return { program, paths: files }
    },
    async run(argv, signal): Promise<CommandRun> {
      const { program, places, args, files, sees } = judge(argv)
      for (const file of files) await mayRead(file)
      const path = systemProgram(places)
      if (path === undefined) throw refusal('exec.unavailable', 'the program is not installed where the system keeps its own')
      sandbox ??= canSandbox()
      const inner = [...limited(LIMITS), path, ...args] as const
      const [first = path, ...rest] = sandbox ? sandboxed(inner, { sees, cwd, home }) : inner
      const done = await runCommand({ argv: [first, ...rest], cwd, env: ENVIRONMENT, wallMs, maxOutputBytes, maxMemoryBytes: MEMORY_BYTES, signal })
      const text = (from: 'stdout' | 'stderr'): string => Buffer.concat(done.output.filter((piece) => piece.from === from).map(({ bytes }) => bytes)).toString('utf8')
      return { program, exitCode: done.exitCode, output: text('stdout'), errors: text('stderr'), ended: done.end, sandboxed: sandbox }
    },
  }
}
