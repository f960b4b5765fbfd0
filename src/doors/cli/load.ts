/** Settings for a command: flags, environment, `.env` in the working directory, and `--config FILE`. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, loadSettings, platformDataDir } from '../../config/index.ts'
import type { LoadedSettings } from '../../config/index.ts'
import { settingFlags } from './given-flags.ts'
import type { Terminal } from './terminal.ts'

export interface Loaded extends LoadedSettings {
  /** Where databases and keys are. */
  readonly dataDir: string
  /** What tells docker or podman where its engine is. */
  readonly engineEnv: Readonly<Record<string, string>>
}

/** @throws ConfigError with every problem at once. */
export function load(terminal: Terminal, options: Readonly<Record<string, unknown>>): Loaded {
  const { env, cwd, home, platform } = terminal
  const config = options['config']
  const loaded = loadSettings({
    flags: settingFlags(options),
    env,
    envFile: readOptional(join(cwd, '.env')),
    file: typeof config === 'string' ? readRequired(config) : undefined,
  })
  return { ...loaded, dataDir: loaded.values.dataDir ?? platformDataDir({ name: platform, home, env }), engineEnv: engineEnvOf(env) }
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

function readRequired(file: string): string {
  const text = readOptional(file)
  if (text === undefined) throw new ConfigError(['--config: the file cannot be read'])
  return text
}
