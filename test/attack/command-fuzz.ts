/**
 * Every option of every program of the command table, in every spelling: first those that are known to do harm, which
 * must all be refused; then all that the help of the program on this machine names. What passes of the latter is run,
 * and watched by the kernel's own account of it.
 */

import { judgeCommand } from '../../src/policy/commands/judge-command.ts'
import type { CommandTable } from '../../src/policy/commands/judge-command.ts'
import type { Grammar } from '../../src/policy/commands/grammar.ts'
import { READING_PROGRAMS } from '../../src/policy/commands/reading-programs.ts'
import { SYSTEM_PROGRAMS } from '../../src/policy/commands/system-programs.ts'
import { DANGERS } from './command-dangers.ts'
import { optionsInHelp, placeOf } from './command-help.ts'
import { spellings } from './command-spellings.ts'
import { watchCommands } from './command-watch.ts'

const ALL: Readonly<Record<string, Grammar>> = { ...SYSTEM_PROGRAMS, ...READING_PROGRAMS }
const TABLE: CommandTable = new Map(Object.entries(ALL))

const bySpaces = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')
const allows = (name: string, words: readonly string[]): boolean => {
  const verdict = judgeCommand(TABLE, [name, ...words])
  // Places that a word names are judged by the path policy: nothing of these is below an allowed folder.
  return verdict.ok && !verdict.files.some((file) => /SECRET|OUT|DIR|~/.test(file))
}

/** Letters that take no value, of all that are listed anywhere for the program. */
const lettersOf = ({ options = '', subcommands = {} }: Grammar): readonly string[] =>
  [...new Set([options, ...Object.values(subcommands).map((one) => one.options ?? '')].flatMap(bySpaces).filter((spec) => /^-[A-Za-z]$/.test(spec)).map((spec) => spec.slice(1)))].slice(0, 12)

/** Commands that do what no command may, and those of them that would run. */
export function dangerous(name: string): { readonly made: number; readonly passed: readonly string[] } {
  const grammar = ALL[name]
  const dangers = DANGERS[name]
  if (!grammar || !dangers) return { made: 0, passed: [] }
  const { options = [], words = [], benign, whole, wholeNames } = dangers
  const made = [...words.map(bySpaces), ...options.flatMap((option) => spellings(option, { benign, letters: lettersOf(grammar), whole, wholeNames }))]
  return { made: made.length, passed: made.filter((one) => allows(name, one)).map((one) => [name, ...one].join(' ')) }
}

export interface Row {
  readonly name: string
  readonly dangerous: number
  readonly dangerousPassed: readonly string[]
  /** Undefined where the program is not installed. */
  readonly options: number | undefined
  readonly made: number
  readonly passed: number
  readonly run: number
  /** What was run and did more than look. */
  readonly acted: readonly string[]
}

export interface FuzzHow {
  /** Commands that are run of each program; none where nothing can watch them. */
  readonly runs: number
  readonly seed: number
}

/** @param names programs; all by default. */
export async function fuzzCommands({ runs, seed }: FuzzHow, names: readonly string[] = Object.keys(DANGERS)): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const name of names) {
    const grammar = ALL[name]
    if (!grammar) continue
    const { made: dangers, passed: dangerousPassed } = dangerous(name)
    const place = placeOf(grammar)
    const listed = place === undefined ? [] : optionsInHelp(name, place)
    const made = listed.flatMap((option) => spellings(option, { benign: DANGERS[name]?.benign ?? [], letters: lettersOf(grammar) }))
    const passed = made.filter((one) => allows(name, one))
    // What is judged and never run has no effect to be looked for.
    const chosen = place === undefined || grammar.neverRun !== undefined ? [] : sampleOf(passed, runs, seed)
    const acted = await watchCommands(place ?? '', chosen)
    rows.push({ name, dangerous: dangers, dangerousPassed, options: place === undefined ? undefined : listed.length, made: made.length, passed: passed.length, run: chosen.length, acted: acted.map((line) => `${name} ${line}`) })
  }
  return rows
}

/** The same choice for the same seed (Park and Miller's generator). */
function sampleOf<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  let state = (Math.abs(seed) % 2_147_483_646) + 1
  const keyed = all.map((one) => [(state = (state * 48_271) % 2_147_483_647), one] as const)
  return keyed.sort(([a], [b]) => a - b).slice(0, count).map(([, one]) => one)
}

/** The rows as a page shows them. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ name, dangerous: harm, dangerousPassed, options, made, passed, run, acted }) => [name, harm, dangerousPassed.length, options ?? 'not here', made, passed, run, acted.length])
  const sum = (at: number): number => cells.reduce((total, cell) => total + Number(cell[at] === 'not here' ? 0 : cell[at]), 0)
  const lines = [['program', 'dangerous', 'of them passed', 'options in its help', 'spellings', 'passed', 'run', 'did more than look'], ...cells, ['all', ...[1, 2, 3, 4, 5, 6, 7].map(sum)]]
  return lines.map((line) => line.map((cell, at) => (at === 0 ? String(cell).padEnd(10) : String(cell).padStart(20))).join('')).join('\n')
}
