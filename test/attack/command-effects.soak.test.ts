import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../../src/policy/commands/judge-command.ts'
import { READING_PROGRAMS } from '../../src/policy/commands/reading-programs.ts'
import { SYSTEM_PROGRAMS } from '../../src/policy/commands/system-programs.ts'
import { placeOf } from './command-help.ts'
import { canBeApart, EFFECTS, happens } from './command-effects.ts'

const ALL = { ...SYSTEM_PROGRAMS, ...READING_PROGRAMS }
const TABLE = new Map(Object.entries(ALL))
const isHere = ([name = '']: readonly string[]): boolean => Object.hasOwn(ALL, name) && placeOf(ALL[name] ?? { places: [] }) !== undefined

// Each needs its program, and namespaces that keep the machine out of it.
describe.runIf(canBeApart())('on a bare host', () => {
  it.each(EFFECTS.filter(({ argv }) => isHere(argv)).map((effect) => [effect.argv.join(' '), effect] as const))('%s does more than look, and the command table does not run it', (_line, effect) => {
    expect(happens(effect)).toBe(true)
    const verdict = judgeCommand(TABLE, effect.argv)
    expect(verdict.ok && verdict.grammar.neverRun === undefined).toBe(false)
  })
})
