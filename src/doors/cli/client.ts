/** `client list`, `client add`, `client remove`: this server in the configuration of an MCP client. */

import { isAbsolute, resolve } from 'node:path'
import { addEntry, type Client, type ClientChange, ClientFileError, type ClientPlace, CLIENTS, clientState, entryLinks, removeEntry, shownEntry, type Target, undoChange } from '../../app/client-setup.ts'
import { SETTINGS } from '../../config/index.ts'
import { sameFlags, settingFlags } from './given-flags.ts'
import { load } from './load.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

const ENTRY_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

/** A command line that asks for something that cannot be. */
class Misused extends Error {}

export async function listClients(terminal: Terminal, options: Options): Promise<number> {
  const entryName = entryNameOf(options)
  if (entryName === undefined) return misused(terminal, MISNAMED)
  const rows = CLIENTS.flatMap((client) => {
    const file = fileOf(terminal, client, options)
    return file === undefined ? [] : [{ client: client.name, file, ...clientState({ client, file, entryName }) }]
  })
  if (options['json'] === true) print(terminal, JSON.stringify(rows, null, 2))
  else for (const { client, state, file, why } of rows) print(terminal, `${client.padEnd(15)} ${state.padEnd(13)} ${file}${why === undefined ? '' : ` (${why})`}`)
  return EXIT.ok
}

export const addClient = (terminal: Terminal, options: Options, args: readonly string[]): Promise<number> =>
  withPlace({ terminal, options, args }, (place) => {
    if (options['undo'] === true) return done(terminal, options, { place, change: undoChange(place, paths(terminal, options)) })
    const target = targetOf(terminal, options)
    if (options['print'] === true) return printed({ terminal, options }, place, target)
    return done(terminal, options, { place, target, change: addEntry(place, target, { ...paths(terminal, options), create: options['create'] === true }) })
  })

export const removeClient = (terminal: Terminal, options: Options, args: readonly string[]): Promise<number> =>
  withPlace({ terminal, options, args }, (place) => {
    const where = paths(terminal, options)
    return done(terminal, options, { place, change: options['undo'] === true ? undoChange(place, where) : removeEntry(place, { ...where, create: false }) })
  })

interface Asked {
  readonly terminal: Terminal
  readonly options: Options
  readonly args: readonly string[]
}

async function withPlace({ terminal, options, args }: Asked, work: (place: ClientPlace) => number): Promise<number> {
  const client = CLIENTS.find(({ name }) => name === args[0])
  if (!client) return misused(terminal, `no such client; known are ${CLIENTS.map(({ name }) => name).join(', ')}`)
  const file = fileOf(terminal, client, options)
  if (file === undefined) return misused(terminal, `${client.title} has no file for one project`)
  const entryName = entryNameOf(options)
  if (entryName === undefined) return misused(terminal, MISNAMED)
  try {
    return work({ client, file, entryName })
  } catch (error) {
    if (error instanceof Misused) return misused(terminal, error.message)
    if (!(error instanceof ClientFileError)) throw error
    if (options['json'] === true) print(terminal, JSON.stringify({ client: client.name, file, changed: false, error: error.message }, null, 2))
    else say(terminal, `arrowhead: ${file} is left as it was: ${error.message}`)
    return EXIT.refused
  }
}

function misused(terminal: Terminal, why: string): number {
  say(terminal, `arrowhead: ${why}`)
  return EXIT.usage
}

function fileOf(terminal: Terminal, client: Client, options: Options): string | undefined {
  const { file, project } = options
  if (typeof file === 'string') return resolve(terminal.cwd, file)
  if (project === true) return client.projectFile && resolve(terminal.cwd, client.projectFile)
  return client.file(terminal)
}

const MISNAMED = '--name: letters, digits, - and _, and a letter first'

const entryNameOf = ({ name = 'arrowhead' }: Options): string | undefined => (typeof name === 'string' && ENTRY_NAME.test(name) ? name : undefined)

const paths = (terminal: Terminal, options: Options) => ({ dataDir: resolve(terminal.cwd, load(terminal, options).dataDir), dryRun: options['dryRun'] === true })

/** What the client is to start or to reach. */
function targetOf(terminal: Terminal, options: Options): Target {
  const { url, workspace, tokenEnv } = options
  if (typeof url === 'string') {
    if (workspace !== undefined) throw new Misused('--url and --workspace exclude each other: a workspace is served over stdio')
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || new URL(url).password !== '') throw new Misused('--url: an http or https URL without a password')
    if (tokenEnv !== undefined && (typeof tokenEnv !== 'string' || !VARIABLE.test(tokenEnv))) throw new Misused('--token-env: the name of an environment variable, not the token')
    return { is: 'url', url, tokenEnv: tokenEnv as string | undefined }
  }
  if (tokenEnv !== undefined) throw new Misused('--token-env goes with --url')
  const [command = 'arrowhead', ...before] = terminal.self ?? []
  const serve = typeof workspace === 'string' ? ['mcp-serve', '--cwd', resolve(terminal.cwd, workspace)] : ['serve']
  return { is: 'command', command, args: [...before, ...serve, ...flagsOf(options)] }
}

/** Settings that were given as flags go into the entry; a client does not start the server where this was typed. */
function flagsOf(options: Options): readonly string[] {
  return Object.entries(settingFlags(options)).flatMap(([flag, value]) => {
    if (flag === '--data-dir' && typeof value === 'string' && !isAbsolute(value)) throw new Misused('--data-dir: an absolute path, because the client may start the server anywhere')
    if (SETTINGS.some((one) => one.flag === flag && one.secret)) throw new Misused(`${flag}: a secret does not belong into a client's file; set it in the environment or in the config file`)
    return value === true ? [flag] : [flag, String(value)]
  })
}

function printed({ terminal, options }: Omit<Asked, 'args'>, place: ClientPlace, target: Target): number {
  const text = shownEntry(place, target)
  const links = entryLinks(place, target)
  if (options['json'] === true) print(terminal, JSON.stringify({ client: place.client.name, file: place.file, changed: false, entry: text, links }, null, 2))
  else print(terminal, [text, ...links].join('\n\n'))
  return EXIT.ok
}

interface Outcome {
  readonly place: ClientPlace
  readonly change: ClientChange
  readonly target?: Target
}

function done(terminal: Terminal, options: Options, { place, change, target }: Outcome): number {
  const { client, file } = place
  const changed = change.diff.length > 0 && options['dryRun'] !== true
  const links = target ? entryLinks(place, target) : []
  if (options['json'] === true) {
    print(terminal, JSON.stringify({ client: client.name, file, changed, diff: change.diff, backup: change.backup ?? null, links }, null, 2))
    return EXIT.ok
  }
  if (change.diff.length === 0) print(terminal, `${file}: nothing to change`)
  else print(terminal, [file, ...change.diff].join('\n'))
  if (change.backup !== undefined) print(terminal, `\nBefore: ${change.backup}\nUndo:   arrowhead client add ${client.name} --undo${options['project'] === true && options['file'] === undefined ? ' --project' : ''}${sameFlags(terminal, options, ['file', 'config', 'dataDir'])}\n${client.title} reads the file when it starts the next time.`)
  for (const link of links) print(terminal, `Or by one click: ${link}`)
  return EXIT.ok
}
