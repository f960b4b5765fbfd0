/** What a program of this machine says that it takes, read from its own help. */

import { spawnSync } from 'node:child_process'
import { systemProgram } from '../../src/exits/process/system-program.ts'
import type { Grammar } from '../../src/policy/commands/grammar.ts'
import type { Danger } from './command-dangers.ts'

const ASKS: Readonly<Record<string, readonly string[]>> = { ps: ['--help', 'all'] }
const ONE = /(?<![\w-])(--?[A-Za-z0-9][\w-]*|-[A-Za-z]\[[a-z]+\])(?:(\[=[^\]]*\])|[= ](<[^>]*>|[A-Z][A-Z0-9_-]*\b|\{[^}]*\}))?/g

/** Undefined where the program is not installed. */
export const placeOf = ({ places }: Pick<Grammar, 'places'>): string | undefined => systemProgram(places)

/** Options that the help names, each with a value where one is shown. */
export function optionsInHelp(name: string, place: string): readonly Danger[] {
  const { stdout, stderr } = spawnSync(place, ASKS[name] ?? ['--help'], { encoding: 'utf8', env: { LANG: 'C', PATH: '/usr/bin:/bin' }, timeout: 20_000 })
  const found = new Map<string, Danger>()
  for (const line of `${stdout}\n${stderr}`.split('\n').filter((one) => /^\s*(?:-|\[|.*\| ?-)/.test(one))) {
    for (const [, written = '', , value] of line.matchAll(ONE)) {
      // `-br[ief]` is a word that may be cut short.
      const option = written.replace(/[[\]]/g, '')
      found.set(option, { names: [option], does: 'tells', ...(value !== undefined && { value: '1' }) })
    }
  }
  return [...found.values()]
}
