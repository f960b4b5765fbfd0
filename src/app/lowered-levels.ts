/** Levels below the ones that tools declare: whoever set them should hear of each at every start. */

import type { Settings } from '../config/index.ts'
import { LEVELS } from '../kernel/tool.ts'
import type { Level } from '../kernel/tool.ts'
import { assistantFamilies, catalog } from '../tools/catalog.ts'

export interface LoweredLevel {
  readonly tool: string
  readonly declared: Level
  readonly level: Level
  /** As it would be looked for in a configuration. */
  readonly setBy: string
}

/** In the order in which they hold: a level of the settings replaces one of the security section. */
export function setLevels({ security, levelOverrides = [] }: Pick<Settings, 'security' | 'levelOverrides'>): ReadonlyMap<string, Pick<LoweredLevel, 'level' | 'setBy'>> {
  const given = security?.['tool_overrides']
  const section = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const all = [
    ...section.map(([name, level]) => [name, level, 'security.tool_overrides'] as const),
    ...levelOverrides.map((text) => [text.split('=')[0] ?? '', text.split('=')[1], 'ARROWHEAD_LEVEL_OVERRIDES'] as const),
  ]
  return new Map(all.flatMap(([name, level, setBy]) => (isLevel(level) ? [[name, { level, setBy }] as const] : [])))
}

/** The level that holds for a tool before its arguments are looked at. */
export function levelInForce(settings: Pick<Settings, 'security' | 'levelOverrides'>): (name: string, declared: Level) => Level {
  const set = setLevels(settings)
  return (name, declared) => set.get(name)?.level ?? declared
}

export function loweredLevels(settings: Pick<Settings, 'security' | 'levelOverrides'>): readonly LoweredLevel[] {
  const set = setLevels(settings)
  return [...catalog, ...assistantFamilies].flatMap(({ tools }) => tools).flatMap(({ name, level: declared }) => {
    const found = set.get(name)
    return found && LEVELS.indexOf(found.level) < LEVELS.indexOf(declared) ? [{ tool: name, declared, ...found }] : []
  })
}

/** One line each. */
export const loweredLines = (settings: Pick<Settings, 'security' | 'levelOverrides'>): readonly string[] =>
  loweredLevels(settings).map(({ tool, declared, level, setBy }) => `${setBy}: ${tool} is ${level} instead of ${declared}: ${level === 'SAFE' ? 'it runs without asking anybody' : 'it meets less than it was made to meet'}`)

const isLevel = (word: unknown): word is Level => typeof word === 'string' && (LEVELS as readonly string[]).includes(word)
