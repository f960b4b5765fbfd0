/**
 * The two generations of SDK clients behind one face. What they see is put in one form: the value, or the
 * refusal's code and text, whether it came as a protocol error or as a tool's result.
 */

import { Client as ClientV2, ProtocolError, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as ChildV2 } from '@modelcontextprotocol/client/stdio'
import type { Transport as TransportV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as ChildV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { App } from '../../src/app/create-app.ts'
import { pipeTransport } from './stdio-pipe.ts'

export type Seen =
  | { readonly is: 'ok'; readonly value: unknown }
  | { readonly is: 'refused'; readonly code: string; readonly text: string }
  | { readonly is: 'fault' }

export interface SdkClient {
  call(name: string, args: Record<string, unknown>): Promise<Seen>
  read(uri: string): Promise<Seen>
  prompt(name: string, args: Record<string, string>): Promise<Seen>
  complete(of: 'prompt' | 'resource', name: string, argument: string, typed: string): Promise<Seen>
  listTools(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface Command {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
  readonly cwd: string
}

/** How to reach a server: the door in this process, over a socket, or a process of its own. */
export type Reach =
  | { readonly by: 'pipe'; readonly app: App }
  | { readonly by: 'http'; readonly url: string; readonly token?: string }
  | { readonly by: 'child'; readonly run: Command }

export interface ClientKind {
  readonly name: string
  readonly era: 'legacy' | 'modern'
  /** @param person answers what a call asks; without one the client cannot be asked. */
  open(reach: Reach, person?: Person): Promise<SdkClient>
}

/** Whoever sits at the client: sees a question and answers it. */
export type Person = (message: string) => { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Readonly<Record<string, boolean>> }

const abilities = (person: Person | undefined) => ({ capabilities: person ? { elicitation: { form: {} } } : {} })
const answering = (person: Person) => async ({ params }: { params: { message: string } }) => person(params.message)

const INFO = { name: 'parity', version: '0' }
const headersOf = (token: string | undefined) => ({ requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } } })

function transportV1(reach: Reach): TransportV1 {
  switch (reach.by) {
    case 'pipe':
      return pipeTransport(reach.app) as TransportV1
    case 'http':
      return new HttpV1(new URL(reach.url), headersOf(reach.token)) as TransportV1
    case 'child':
      return new ChildV1({ ...reach.run, stderr: 'ignore' })
  }
}

function transportV2(reach: Reach): TransportV2 {
  switch (reach.by) {
    case 'pipe':
      return pipeTransport(reach.app) as TransportV2
    case 'http':
      return new HttpV2(new URL(reach.url), headersOf(reach.token))
    case 'child':
      return new ChildV2({ ...reach.run, stderr: 'ignore' })
  }
}

/** What both generations' clients offer, in the words that are used here. */
interface Calls {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  readResource(params: { uri: string }): Promise<unknown>
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>
  complete(params: { ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }; argument: { name: string; value: string } }): Promise<unknown>
  listTools(): Promise<{ tools: readonly { name: string }[] }>
  close(): Promise<void>
}

const face = (client: Calls): SdkClient => ({
  call: (name, args) => seen(() => client.callTool({ name, arguments: args })),
  read: (uri) => seen(() => client.readResource({ uri })),
  prompt: (name, args) => seen(() => client.getPrompt({ name, arguments: args })),
  complete: (of, name, argument, typed) =>
    seen(() => client.complete({ ref: of === 'prompt' ? { type: 'ref/prompt', name } : { type: 'ref/resource', uri: name }, argument: { name: argument, value: typed } })),
  listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
  close: () => client.close(),
})

async function seen(ask: () => Promise<unknown>): Promise<Seen> {
  try {
    return fromResult((await ask()) as Readonly<Record<string, unknown>>)
  } catch (error) {
    if (!(error instanceof McpError) && !(error instanceof ProtocolError)) throw error
    return fromText(error.message.replace(/^MCP error -?\d+: /, ''))
  }
}

function fromResult(result: Readonly<Record<string, unknown>>): Seen {
  if (result['isError'] === true) return fromText((result['content'] as readonly { text: string }[])[0]?.text ?? '')
  if (result['structuredContent']) return { is: 'ok', value: result['structuredContent'] }
  if (result['contents']) return { is: 'ok', value: (result['contents'] as readonly { text: string }[]).map(({ text }) => text) }
  if (result['completion']) return { is: 'ok', value: (result['completion'] as { values: unknown }).values }
  return { is: 'ok', value: (result['messages'] as readonly { content: { text: string } }[]).map(({ content }) => content.text) }
}

const fromText = (text: string): Seen =>
  /^internal error \(incident [\w-]{16}\): see the server’s log$/.test(text) ? { is: 'fault' } : { is: 'refused', code: text.slice(0, text.indexOf(':')), text }

async function openV2(reach: Reach, mode: 'legacy' | { readonly pin: string }, person: Person | undefined): Promise<SdkClient> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode }, ...abilities(person) })
  if (person) client.setRequestHandler('elicitation/create', answering(person) as never)
  await client.connect(transportV2(reach))
  return face(client as unknown as Calls)
}

export const CLIENTS: readonly ClientKind[] = [
  {
    name: 'the v1 client', era: 'legacy',
    async open(reach, person) {
      const client = new ClientV1(INFO, abilities(person))
      if (person) client.setRequestHandler(ElicitRequestSchema, answering(person) as never)
      await client.connect(transportV1(reach))
      return face(client as unknown as Calls)
    },
  },
  { name: 'the v2 client in the legacy era', era: 'legacy', open: (reach, person) => openV2(reach, 'legacy', person) },
  { name: 'the v2 client in the modern era', era: 'modern', open: (reach, person) => openV2(reach, { pin: '2026-07-28' }, person) },
]
