/** The command line. A plain `serve`, which a client waits for, starts without the parser of all the others. */

import { ConfigError } from '../../config/index.ts'
import { EXIT, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

/** Runs one command line. @returns the exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return args.length === 1 && args[0] === 'serve' ? await (await import('./serve.ts')).serve(terminal, {}) : await parsed(args, terminal)
  } catch (error) {
    if (isOfSystem(error)) {
      say(terminal, `arrowhead: ${error.message}; \`arrowhead doctor\` looks at what is there`)
      return EXIT.fault
    }
    if (!(error instanceof ConfigError)) throw error
    say(terminal, `arrowhead: the settings are not in order\n${error.problems.map((problem) => `  - ${problem}`).join('\n')}`)
    return EXIT.config
  }
}

/** A disk or a folder that does not do what is asked of it is no fault of the program: the system's own words say which. */
const isOfSystem = (error: unknown): error is Error => error instanceof Error && /^E[A-Z0-9]+$/.test(String((error as { code?: unknown }).code)) && 'syscall' in error

async function parsed(args: readonly string[], terminal: Terminal): Promise<number> {
  const [{ createProgram }, { CommanderError }] = await Promise.all([import('./program.ts'), import('commander')])
  let code: number = EXIT.ok
  try {
    await createProgram(terminal, args, (result) => void (code = result)).parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    throw error
  }
}
