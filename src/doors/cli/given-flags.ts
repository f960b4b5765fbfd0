/** The flags of one command line as settings. */

import { resolve } from 'node:path'
import { SETTINGS } from '../../config/index.ts'
import type { FlagValue } from '../../config/index.ts'
import type { Terminal } from './terminal.ts'

/** The setting flags among a command's options, by spelling. */
export function settingFlags(options: Readonly<Record<string, unknown>>): Readonly<Record<string, FlagValue>> {
  if (Object.keys(options).length === 0) return {}
  const given = SETTINGS.flatMap(({ flag }) => {
    const value = options[flag.slice(2).replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())]
    return value === undefined ? [] : [[flag, value as FlagValue] as const]
  })
  return Object.fromEntries(given)
}

const PLACES = { file: '--file', config: '--config', dataDir: '--data-dir' } as const

/** Which of these flags a command line had, for another one that is to find the same files from wherever it is typed. */
export function sameFlags({ cwd }: Terminal, options: Readonly<Record<string, unknown>>, names: readonly (keyof typeof PLACES)[]): string {
  return names.map((name) => (typeof options[name] === 'string' ? ` ${PLACES[name]} ${quoted(resolve(cwd, options[name]))}` : '')).join('')
}

/** One word for a shell. */
export const quoted = (text: string): string => (/^[\w/.:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
