/** The operator's settings for a command over a workspace. Nothing of the workspace is one of them. */

import { readFileSync, realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { isModeKey, refuseModeIn } from '../../app/workspace-start.ts'
import { ConfigError, loadSettings, platformDataDir } from '../../config/index.ts'
import type { LoadedSettings } from '../../config/index.ts'
import { objectIn } from '../../kernel/json-object.ts'
import { settingFlags } from './given-flags.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

/** Folder of the user's own rules. */
const HOME = 'ARROWHEAD_HOME'

export interface Started {
  readonly loaded: LoadedSettings
  readonly dataDir: string
  /** Folder of the user's own configuration. */
  readonly home: string
}

/** From flags, environment and the file that the operator named. No `.env` is read: the working directory may be the peer's. */
export function settingsBeside(place: string, terminal: Terminal, options: Options): Started {
  refuseModeIn('the environment', terminal.env as Options)
  const env = Object.fromEntries(Object.entries(terminal.env).filter(([name]) => !isModeKey(name)))
  const file = typeof options['config'] === 'string' ? configText(resolve(terminal.cwd, options['config']), place) : undefined
  const loaded = loadSettings({ flags: settingFlags(options), env, file })
  const dataDir = resolve(terminal.cwd, loaded.values.dataDir ?? platformDataDir({ name: terminal.platform, home: terminal.home, env }))
  return { loaded, dataDir, home: resolve(terminal.cwd, terminal.env[HOME] ?? join(terminal.home, '.arrowhead')) }
}

/** The settings file, without a mode: the flag is the only gate. */
function configText(file: string, place: string): string {
  let text: string
  try {
    if (`${realpathSync(file)}${sep}`.startsWith(`${realpathSync(place)}${sep}`)) throw new ConfigError(['--config: a settings file of the workspace is not read'])
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(['--config: the file cannot be read'])
  }
  const members = objectIn(text)
  if (!members || !Object.keys(members).some(isModeKey)) return text
  refuseModeIn('--config', members)
  return JSON.stringify(Object.fromEntries(Object.entries(members).filter(([key]) => !isModeKey(key))))
}

