/** The flags of one command line as settings. */

import { SETTINGS } from '../../config/index.ts'
import type { FlagValue } from '../../config/index.ts'

/** The setting flags among a command's options, by spelling. */
export function settingFlags(options: Readonly<Record<string, unknown>>): Readonly<Record<string, FlagValue>> {
  if (Object.keys(options).length === 0) return {}
  const given = SETTINGS.flatMap(({ flag }) => {
    const value = options[flag.slice(2).replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())]
    return value === undefined ? [] : [[flag, value as FlagValue] as const]
  })
  return Object.fromEntries(given)
}
