/** Settings for a command: flags, environment, `.env` in the working directory, and the config file. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { assistantSettings } from '../../app/assistant-settings.ts'
import { ConfigError, loadSettings, platformConfigFile, platformDataDir } from '../../config/index.ts'
import type { LoadedSettings } from '../../config/index.ts'
import { settingFlags } from './given-flags.ts'
import { say } from './terminal.ts'
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
  return read(terminal, options, readOptional(join(terminal.cwd, '.env')))
}

/**
 * The same for the assistant, which works where it is started: a folder that somebody else may have filled. Nothing in
 * it decides what the assistant may do, so its `.env` is not read, and that is said.
 * @throws ConfigError with every problem at once.
 */
export function loadForAssistant(terminal: Terminal, options: Readonly<Record<string, unknown>>): Loaded {
  const loaded = read(terminal, options, undefined)
  if (options['quiet'] !== true && /^\s*(?:export\s+)?ARROWHEAD_/m.test(readPlain(join(terminal.cwd, '.env')) ?? '')) {
    say(terminal, `arrowhead: the .env of this folder is not read by the assistant; put settings into the environment or into ${configPlace(terminal)}`)
  }
  return { ...loaded, ...assistantSettings(loaded) }
}

function read(terminal: Terminal, options: Readonly<Record<string, unknown>>, envFile: string | undefined): Loaded {
  const { env, home, platform } = terminal
  const config = configOf(terminal, options)
  const loaded = loadSettings({ flags: settingFlags(options), env, envFile, file: config?.text })
  return { ...loaded, config, dataDir: loaded.values.dataDir ?? platformDataDir({ name: platform, home, env }), engineEnv: engineEnvOf(env) }
}

/** Where a config file is looked for when none is named. */
export const configPlace = ({ env, home, platform }: Terminal): string => platformConfigFile({ name: platform, home, env })

/** `--config FILE`, then ARROWHEAD_CONFIG of the environment (never of a `.env`), then the platform's own place. */
function configOf(terminal: Terminal, options: Readonly<Record<string, unknown>>): ConfigText | undefined {
  const { env } = terminal
  const flag = options['config']
  if (typeof flag === 'string') return { file: flag, text: readRequired(flag, '--config') }
  const named = env['ARROWHEAD_CONFIG']
  if (named !== undefined && named !== '') return { file: named, text: readRequired(named, 'ARROWHEAD_CONFIG') }
  const file = configPlace(terminal)
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

/** Of a file and nothing else: a pipe that nobody writes to would hold up even whoever wants to stop it. */
function readPlain(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? readOptional(file) : undefined
  } catch {
    return undefined
  }
}

function readRequired(file: string, named: string): string {
  const text = readOptional(file)
  if (text === undefined) throw new ConfigError([`${named}: the file cannot be read`])
  return text
}
