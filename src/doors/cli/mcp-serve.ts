/** `mcp-serve`: one folder, read-only, to whichever program started this one. Nothing of the folder decides how it is served. */

import { fstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { createWorkspaceApp, findGround, isModeKey, loadRules, refuseModeIn, workspaceSettings } from '../../app/workspace-start.ts'
import { ConfigError, announceRisks, loadSettings, platformDataDir } from '../../config/index.ts'
import type { LoadedSettings } from '../../config/index.ts'
import { VERSION } from '../../kernel/version.ts'
import { settingFlags } from './given-flags.ts'
import { lineTo } from './log-lines.ts'
import { EXIT, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'
import { workspaceFlags } from './workspace-flags.ts'

type Options = Readonly<Record<string, unknown>>

/** Folder of the user's own rules. */
const HOME = 'ARROWHEAD_HOME'

/** Serves until the client leaves. @throws ConfigError with what is wrong. */
export async function mcpServe(terminal: Terminal, options: Options): Promise<number> {
  const flags = workspaceFlags(options)
  if (![terminal.stdin, terminal.stdout].every(isPipe)) {
    say(terminal, 'arrowhead: mcp-serve speaks to the program that starts it, so both its input and its output must be pipes; put it into the configuration of an MCP client')
    return EXIT.usage
  }
  if (flags.mode !== undefined) throw new ConfigError(['--permission-mode: this build has no assistant to ask'])
  const place = resolve(terminal.cwd, flags.cwd ?? '.')
  const { loaded, dataDir, home } = settingsOf(terminal, options, place)
  for (const risk of announceRisks(loaded)) say(terminal, `arrowhead: warning: ${risk}`)
  const found = findGround(place, [dataDir, home])
  const rules = await loadRules(found, home)
  for (const folder of found.carvedOut) say(terminal, `arrowhead: ${folder} is this program’s own and no part of the workspace`)
  return serve(terminal, { settings: workspaceSettings(loaded), dataDir, cwd: found.cwd, ground: found.ground, rules })
}

type AppParts = Omit<Parameters<typeof createWorkspaceApp>[1], 'log'> & { readonly settings: LoadedSettings['values'] }

async function serve({ stdin, stdout, stderr, parent, stop }: Terminal, { settings, ...parts }: AppParts): Promise<number> {
  const { serveStdio } = await import('../stdio/serve-stdio.ts')
  const lines = lineTo(stderr)
  const app = createWorkspaceApp(settings, { ...parts, log: lines.log })
  const door = serveStdio({ app, version: VERSION, input: stdin, output: stdout, parent })
  const stopped = new Promise<void>((done) => stop.addEventListener('abort', () => done(), { once: true }))
  await Promise.race([door.ended, stopped])
  await door.close()
  await app.close()
  lines.flush()
  return EXIT.ok
}

/** A stream without a descriptor is a pipe within this process. */
function isPipe(stream: Terminal['stdin'] | Terminal['stdout']): boolean {
  const { fd } = stream as { fd?: unknown }
  if (typeof fd !== 'number') return true
  const stats = fstatSync(fd)
  return stats.isFIFO() || stats.isSocket()
}

interface Started {
  readonly loaded: LoadedSettings
  readonly dataDir: string
  /** Folder of the user's own configuration. */
  readonly home: string
}

/** From flags, environment and the file that the operator named. No `.env` is read: the working directory may be the peer's. */
function settingsOf(terminal: Terminal, options: Options, place: string): Started {
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

function objectIn(text: string): Options | undefined {
  try {
    const raw: unknown = JSON.parse(text)
    return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Options) : undefined
  } catch {
    return undefined
  }
}
