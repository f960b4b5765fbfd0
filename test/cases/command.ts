/** Runs the lines about commands: the grammar of a read-only policy, and that of the assistant's own programs. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeCommand } from '../../src/policy/commands/judge-command.ts'
import type { CommandTable } from '../../src/policy/commands/judge-command.ts'
import { READING_PROGRAMS } from '../../src/policy/commands/reading-programs.ts'
import { SYSTEM_PROGRAMS } from '../../src/policy/commands/system-programs.ts'
import { isPathRefused, parseSecurity } from '../../src/policy/security.ts'
import type { Security } from '../../src/policy/security.ts'
import type { Case, Verdict } from './case.ts'

export type CommandCase = Case<{ readonly argv?: readonly string[]; readonly command?: string }>

/** A person whose working folder is below their home. */
const STANDPOINT = { home: '/home/user', cwd: '/home/user/project' }

function securityFor(roots: readonly string[]): Security {
  const parsed = parseSecurity({ allowed_roots: roots, default_shell_access: true }, STANDPOINT, new Set())
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.security
}

function verdictOf({ input, expect }: CommandCase, table: CommandTable, security: Security): Verdict {
  // Only lists of words are taken: a text is what the schema of the tool refuses.
  const got = Array.isArray(input.argv) && allows(input.argv, table, security) ? 'allow' : 'refuse'
  return { right: got === expect, got }
}

function allows(argv: readonly string[], table: CommandTable, security: Security): boolean {
  const verdict = judgeCommand(table, argv)
  return verdict.ok && verdict.files.every((file) => !isPathRefused(file, 'read', security))
}

/** The policy names programs and their subcommands; the grammars are ours. */
export function commandRunner(dir: string): { run(line: CommandCase): Promise<Verdict> } {
  const { programs } = JSON.parse(readFileSync(join(dir, 'command.policy.json'), 'utf8')) as { programs: Readonly<Record<string, unknown>> }
  const all = { ...SYSTEM_PROGRAMS, ...READING_PROGRAMS }
  const table = new Map(Object.entries(all).filter(([name]) => Object.hasOwn(programs, name)))
  const security = securityFor([STANDPOINT.cwd])
  return { run: async (line) => verdictOf(line, table, security) }
}

export function runCommandRunner(): { run(line: CommandCase): Promise<Verdict> } {
  const security = securityFor(['~'])
  return { run: async (line) => verdictOf(line, security.commands, security) }
}

