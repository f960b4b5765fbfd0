/** What the HTTP door's tests share: a real app behind a real listening door, and clients that can misbehave. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../app/create-app.ts'
import type { AppOptions } from '../../app/ports.ts'
import { loadSettings } from '../../config/index.ts'
import type { Settings } from '../../config/index.ts'
import type { AuditRow, AuditTrail } from '../../kernel/audit.ts'
import type { TokenVerifier } from './authenticate.ts'
import { createHttpDoor } from './door.ts'
import type { HttpDoor } from './door.ts'

export interface TestDoor {
  readonly door: HttpDoor
  readonly port: number
  readonly url: string
  /** Every record so far, oldest first. */
  readonly rows: readonly AuditRow[]
  readonly warnings: readonly string[]
  send(options?: SendOptions): Promise<Reply>
  close(): Promise<void>
}

export interface TestDoorOptions extends Pick<AppOptions, 'tools'> {
  readonly settings?: Partial<Settings>
  readonly identity?: TokenVerifier
}

const collectingTrail = (rows: AuditRow[]): AuditTrail => ({
  append: (row) => void rows.push(row),
  write: async (row) => void rows.push(row),
  head: () => undefined,
  flush: async () => {},
  close: async () => {},
})

export async function openTestDoor({ settings = {}, identity, tools = [] }: TestDoorOptions = {}): Promise<TestDoor> {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-http-'))
  mkdirSync(join(folder, 'sandbox'))
  writeFileSync(join(folder, 'sandbox', 'welcome.txt'), 'hello')
  const { values } = loadSettings({ env: { ARROWHEAD_TRANSPORT: 'http', ARROWHEAD_ALLOW_INSECURE_HTTP: 'true', ARROWHEAD_JAIL_ROOT: join(folder, 'sandbox') } })
  const rows: AuditRow[] = []
  const warnings: string[] = []
  const app = createApp({ ...values, port: 0, ...settings }, { dataDir: folder, tools, replace: { trail: collectingTrail(rows) } })
  const leave = async (): Promise<void> => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const door = createHttpDoor({ app, version: '0.0.0', warn: (text) => void warnings.push(text), ...(identity && { identity }) })
    const { url, port } = await door.listen()
    return {
      door, url, port, rows, warnings,
      send: (options) => send(port, options),
      async close() {
        await door.drain()
        await leave()
      },
    }
  } catch (error) {
    // A door that did not open leaves nothing behind either.
    await leave()
    throw error
  }
}

/** Settings with authentication on; the identity comes with them. */
export const WITH_AUTH = {
  authEnabled: true, dangerouslyAllowInsecureHttp: false, serverPublicUrl: 'https://mcp.example', oauthIssuer: 'https://as.example',
} as const satisfies Partial<Settings>

/** Takes the token for the subject: `alice` and `alice.2` are alice, with the given scopes. */
export const namesAsTokens = (scopes: readonly string[] = ['tools:read']): TokenVerifier => {
  const known = new Map<string, { is: 'caller'; subject: string; scopes: ReadonlySet<string> }>()
  return {
    async verify(authorization) {
      if (authorization === undefined) return { is: 'missing' }
      const subject = /^Bearer ([a-z0-9]+)(?:\.\d+)?$/.exec(authorization)?.[1]
      if (subject === undefined) return { is: 'invalid', reason: 'malformed' }
      const caller = known.get(subject) ?? { is: 'caller', subject, scopes: new Set(scopes) }
      known.set(subject, caller)
      return caller
    },
  }
}

export interface SendOptions {
  readonly method?: string
  readonly path?: string
  /** Sent as they are, a list as repeated fields; a Host and a JSON content type are added where none is given. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** A message, or raw bytes or text. */
  readonly body?: object | string | Buffer
  readonly signal?: AbortSignal
  readonly agent?: Agent
}

export interface Reply {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
  /** The answer as JSON, out of an event stream where it is one; undefined where it is neither. */
  readonly json: unknown
}

const hasHeader = (headers: object, name: string): boolean => Object.keys(headers).some((one) => one.toLowerCase() === name)

export const send = (port: number, options: SendOptions = {}): Promise<Reply> => {
  const { method = 'POST', path = '/mcp', headers = {}, body, signal, agent = false } = options
  const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const all: Readonly<Record<string, string | number | readonly string[]>> = {
    ...(!hasHeader(headers, 'host') && { host: `127.0.0.1:${port}` }),
    ...(bytes !== undefined && !hasHeader(headers, 'content-type') && { 'content-type': 'application/json' }),
    ...(bytes !== undefined && !hasHeader(headers, 'transfer-encoding') && { 'content-length': Buffer.byteLength(bytes) }),
    ...headers,
  }
  const fields = Object.entries(all).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, String(one)]))
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers: fields, setHost: false, agent, ...(signal && { signal }) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) })
      })
    })
    sent.once('error', reject)
    sent.end(bytes)
  })
}

function jsonOf(text: string): unknown {
  const data = text.split('\n').filter((line) => line.startsWith('data: ')).at(-1)?.slice('data: '.length)
  try {
    return JSON.parse(data ?? text)
  } catch {
    return undefined
  }
}

/** Writes bytes to the port and gives back everything that came until the server ended the connection. */
export const sendRaw = (port: number, ...parts: readonly (string | Buffer)[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('error', reject)
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    for (const part of parts) socket.write(part)
  })

export const rpc = (method: string, params: object = {}, id: string | number = 1): object => ({ jsonrpc: '2.0', id, method, params })

export const callTool = (name: string, args: object = {}, id: string | number = 1): object => rpc('tools/call', { name, arguments: args }, id)

/** What a 2026-07-28 request carries besides its own parameters, in the body and in the headers. */
export function modern(method: string, params: Readonly<Record<string, unknown>> = {}): { readonly body: object; readonly headers: Readonly<Record<string, string>> } {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name = params['name'] ?? params['uri']
  return {
    body: rpc(method, { ...params, _meta }),
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) },
  }
}
