/** Settings for a command: flags, environment, `.env` in the working directory, and the config file. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, loadSettings, platformConfigFile, platformDataDir } from '../../config/index.ts'
import type { LoadedSettings } from '../../config/index.ts'
import { settingFlags } from './given-flags.ts'
import type { Terminal } from './terminal.ts'

export interface Loaded extends LoadedSettings {
  /** Where databases and keys are. */
  readonly dataDir: string
  /** What tells docker or podman where its engine is. */
  readonly engineEnv: Readonly<Record<string, string>>
  /** The config file that was read, where there is one. */
  readonly config: ConfigText | undefined
}

export interface ConfigText {
  readonly file: string
  readonly text: string
}

/** @throws ConfigError with every problem at once. */
export function load(terminal: Terminal, options: Readonly<Record<string, unknown>>): Loaded {
  const { env, cwd, home, platform } = terminal
  const config = configOf(terminal, options)
  const loaded = loadSettings({
    flags: settingFlags(options),
    env,
    envFile: readOptional(join(cwd, '.env')),
    file: config?.text,
  })
  return { ...loaded, config, dataDir: loaded.values.dataDir ?? platformDataDir({ name: platform, home, env }), engineEnv: engineEnvOf(env) }
}

/** `--config FILE`, then ARROWHEAD_CONFIG of the environment (never of a `.env`), then the platform's own place. */
function configOf({ env, home, platform }: Terminal, options: Readonly<Record<string, unknown>>): ConfigText | undefined {
  const flag = options['config']
  if (typeof flag === 'string') return { file: flag, text: readRequired(flag, '--config') }
  const named = env['ARROWHEAD_CONFIG']
  if (named !== undefined && named !== '') return { file: named, text: readRequired(named, 'ARROWHEAD_CONFIG') }
  const file = platformConfigFile({ name: platform, home, env })
  const text = readOptional(file)
  return text === undefined ? undefined : { file, text }
}

const ENGINE_VARIABLES = ['HOME', 'XDG_RUNTIME_DIR', 'DOCKER_HOST', 'CONTAINER_HOST'] as const

const engineEnvOf = (env: Terminal['env']): Readonly<Record<string, string>> =>
  Object.fromEntries(ENGINE_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

function readOptional(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function readRequired(file: string, named: string): string {
  const text = readOptional(file)
  if (text === undefined) throw new ConfigError([`${named}: the file cannot be read`])
  return text
}
