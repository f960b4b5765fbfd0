/**
 * The MCP clients that can be set up from the command line: where each keeps its servers, in which dialect, and
 * what an entry looks like there. One row a client; everything else is derived from the row.
 */

import { posix, win32 } from 'node:path'

export interface Machine {
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What the entry is to start or to reach. */
export type Target =
  | { readonly is: 'command'; readonly command: string; readonly args: readonly string[] }
  | { readonly is: 'url'; readonly url: string; readonly tokenEnv: string | undefined }

/** `json` knows no comments; `commented` has comments; `jsonc` has trailing commas as well. */
export type Dialect = 'json' | 'commented' | 'jsonc' | 'toml'

export interface Client {
  readonly name: string
  readonly title: string
  readonly dialect: Dialect
  /** The user's own file. */
  file(machine: Machine): string
  /** The file of one project, relative to it; undefined where the client has none. */
  readonly projectFile: string | undefined
  /** The member that holds the servers, outermost first. */
  holder(root: unknown): readonly string[]
  /** @returns a sentence where this client cannot have such an entry. */
  entry(target: Target, root: unknown): Readonly<Record<string, unknown>> | string
}

type Part = (machine: Machine) => string

const pathOf = ({ platform }: Machine) => (platform === 'win32' ? win32 : posix)
const inHome = (...names: readonly string[]): Part => (machine) => pathOf(machine).join(machine.home, ...names)

/** A folder that a variable may name. An empty one counts as none. */
const named = (variable: string, otherwise: Part): Part => (machine) => machine.env[variable] || otherwise(machine)

/** The platform's folder for an application's own files. */
const appData: Part = (machine) => {
  if (machine.platform === 'win32') return named('APPDATA', inHome('AppData', 'Roaming'))(machine)
  return machine.platform === 'darwin' ? inHome('Library', 'Application Support')(machine) : named('XDG_CONFIG_HOME', inHome('.config'))(machine)
}
const below = (part: Part, ...names: readonly string[]): Part => (machine) => pathOf(machine).join(part(machine), ...names)

const always = (...holder: readonly string[]) => () => holder

interface Remote {
  readonly key: 'url' | 'serverUrl' | 'httpUrl'
  /** How this client reads a variable of its environment. */
  readonly variable: (name: string) => string
  readonly type?: 'http'
}

/** The shape that most share: a command with its arguments, or a URL with headers. */
const usual = (remote: Remote, stdio: { readonly type?: 'stdio' } = {}): Client['entry'] => (target) => {
  if (target.is === 'command') return { ...stdio, command: target.command, args: target.args }
  return { ...(remote.type && { type: remote.type }), [remote.key]: target.url, ...bearer(target.tokenEnv, remote.variable) }
}

const bearer = (tokenEnv: string | undefined, variable: Remote['variable']): object =>
  tokenEnv === undefined ? {} : { headers: { Authorization: `Bearer ${variable(tokenEnv)}` } }

const dollar = (name: string): string => `\${${name}}`
const dollarEnv = (name: string): string => `\${env:${name}}`

const memberOf = (root: unknown, name: string): unknown =>
  typeof root === 'object' && root !== null && Object.hasOwn(root, name) ? (root as Record<string, unknown>)[name] : undefined

/** OpenCode moved its servers from `mcp` to `mcp.servers`: a file that has entries of the first kind keeps that form. */
const hasServersDirectly = (root: unknown): boolean => {
  const held = memberOf(root, 'mcp')
  if (typeof held !== 'object' || held === null || memberOf(held, 'servers') !== undefined) return false
  return Object.values(held).some((one) => memberOf(one, 'type') !== undefined)
}

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code', title: 'Claude Code', dialect: 'json', projectFile: '.mcp.json',
    file: (machine) => below(named('CLAUDE_CONFIG_DIR', inHome()), '.claude.json')(machine),
    holder: always('mcpServers'), entry: usual({ key: 'url', type: 'http', variable: dollar }, { type: 'stdio' }),
  },
  {
    name: 'claude-desktop', title: 'Claude Desktop', dialect: 'json', projectFile: undefined,
    file: below(appData, 'Claude', 'claude_desktop_config.json'),
    holder: always('mcpServers'),
    entry: (target, root) => (target.is === 'url'
      ? 'Claude Desktop takes a server with a URL in its settings, under Connectors, and not from this file'
      : usual({ key: 'url', variable: dollar })(target, root)),
  },
  {
    name: 'cursor', title: 'Cursor', dialect: 'jsonc', projectFile: '.cursor/mcp.json',
    file: inHome('.cursor', 'mcp.json'), holder: always('mcpServers'), entry: usual({ key: 'url', variable: dollarEnv }),
  },
  {
    name: 'vscode', title: 'VS Code', dialect: 'jsonc', projectFile: '.vscode/mcp.json',
    file: below(appData, 'Code', 'User', 'mcp.json'), holder: always('servers'),
    entry: usual({ key: 'url', type: 'http', variable: dollarEnv }, { type: 'stdio' }),
  },
  {
    name: 'windsurf', title: 'Windsurf', dialect: 'json', projectFile: undefined,
    file: inHome('.codeium', 'windsurf', 'mcp_config.json'), holder: always('mcpServers'), entry: usual({ key: 'serverUrl', variable: dollarEnv }),
  },
  {
    name: 'gemini-cli', title: 'Gemini CLI', dialect: 'commented', projectFile: '.gemini/settings.json',
    file: inHome('.gemini', 'settings.json'), holder: always('mcpServers'), entry: usual({ key: 'httpUrl', variable: dollar }),
  },
  {
    name: 'codex', title: 'Codex', dialect: 'toml', projectFile: '.codex/config.toml',
    file: below(named('CODEX_HOME', inHome('.codex')), 'config.toml'), holder: always('mcp_servers'),
    entry: (target) => (target.is === 'command'
      ? { command: target.command, args: target.args }
      : { url: target.url, ...(target.tokenEnv !== undefined && { bearer_token_env_var: target.tokenEnv }) }),
  },
  {
    name: 'zed', title: 'Zed', dialect: 'jsonc', projectFile: '.zed/settings.json',
    file: (machine) => (machine.platform === 'win32' ? below(appData, 'Zed', 'settings.json') : below(named('XDG_CONFIG_HOME', inHome('.config')), 'zed', 'settings.json'))(machine),
    holder: always('context_servers'),
    entry: (target, root) => (target.is === 'url' && target.tokenEnv !== undefined
      ? 'Zed puts no variable into a header: leave --token-env out, and Zed signs in when the server asks it to'
      : usual({ key: 'url', variable: dollar })(target, root)),
  },
  {
    name: 'opencode', title: 'OpenCode', dialect: 'jsonc', projectFile: 'opencode.json',
    file: below(named('XDG_CONFIG_HOME', inHome('.config')), 'opencode', 'opencode.json'),
    holder: (root) => (hasServersDirectly(root) ? ['mcp'] : ['mcp', 'servers']),
    entry: (target) => (target.is === 'command'
      ? { type: 'local', command: [target.command, ...target.args] }
      : { type: 'remote', url: target.url, ...bearer(target.tokenEnv, (name) => `{env:${name}}`) }),
  },
]
