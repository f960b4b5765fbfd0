/**
 * Runs one line of the MCP protocol cases against a real HTTP door on a loopback socket. The server is stateless
 * and hands out no session id: a step that expects a session to be refused presents a made-up id, and one that
 * expects its own session to work presents what it was given, which is none.
 */

import * as z from 'zod'
import { WITH_AUTH, callTool, namesAsTokens, openTestDoor, rpc } from '../../src/doors/http/door.fixture.ts'
import type { Reply, TestDoor } from '../../src/doors/http/door.fixture.ts'
import { PROTOCOL_VERSIONS } from '../../src/doors/mcp/identity-card.ts'
import { ours } from '../../src/kernel/leaf.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import type { Case, Verdict } from './case.ts'

type Headers = Readonly<Record<string, string>>

interface Step {
  readonly as?: string
  readonly do?: string
  readonly session?: string
  readonly sameSession?: boolean
  readonly protocolVersion?: string
  readonly capabilities?: object
  readonly expect?: string
  readonly parallel?: readonly { readonly as: string; readonly id: number; readonly tool: string }[]
  readonly repeat?: number
}

export interface McpProtocolInput {
  readonly message?: object | string
  readonly messageGen?: { readonly prefix: string; readonly repeat: string; readonly times: number; readonly suffix: string }
  readonly headers?: Headers
  readonly server?: { readonly allowedHosts: readonly string[]; readonly allowedOrigins: readonly string[] }
  readonly steps?: readonly Step[]
  readonly call?: { readonly tool: string; readonly arguments: object }
  readonly forbidText?: readonly string[]
}

export type McpProtocolCase = Case<McpProtocolInput>

const whoami = defineTool({
  name: 'whoami', title: 'Who am I', summary: 'Says who calls.', scope: 'tools:read', level: 'SAFE', effect: 'read',
  idempotent: true, openWorld: false, perMinute: 10_000, uses: [],
  input: z.strictObject({}), output: z.strictObject({ subject: ours(z.string()) }), examples: [],
  touches: () => [],
  // Leaves the others time to get in between.
  run: async (_input, _services, { subject }) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    return { subject }
  },
})

interface Rpc {
  readonly id?: unknown
  readonly error?: unknown
  readonly result?: {
    readonly isError?: boolean
    readonly protocolVersion?: string
    readonly structuredContent?: { readonly subject?: string }
    readonly content?: readonly { readonly text?: string }[]
  }
}

const rpcOf = ({ json }: Reply): Rpc => (json ?? {}) as Rpc

const outcomeOf = (reply: Reply): 'allow' | 'refuse' => {
  const { error, result } = rpcOf(reply)
  return reply.status >= 400 || error !== undefined || result?.isError === true ? 'refuse' : 'allow'
}

const shown = (reply: Reply): string => `${outcomeOf(reply)} ${reply.status} ${reply.text.slice(0, 160)}`

const judge = (line: McpProtocolCase, reply: Reply): Verdict => ({ right: outcomeOf(reply) === line.expect, got: shown(reply) })

const LIST = rpc('tools/list')

const initialize = ({ protocolVersion = '2025-11-25', capabilities = {} }: Step): object =>
  rpc('initialize', { protocolVersion, capabilities, clientInfo: { name: 'case', version: '1' } })

async function runStep(door: TestDoor, step: Step): Promise<Verdict> {
  if (step.parallel) return runParallel(door, step)
  const wantsRefusal = step.expect === 'refuse'
  const names = step.session !== undefined || step.sameSession === true
  const reply = await door.send({
    ...requestOf(step),
    headers: {
      authorization: `Bearer ${tokenOf(step.as ?? 'alice')}`,
      ...(wantsRefusal && names && { 'mcp-session-id': (step.session ?? 'made-up').replaceAll(/[^a-z-]/g, '-') }),
    },
  })
  return { right: step.expect === undefined || isAsExpected(step, reply), got: shown(reply) }
}

function requestOf(step: Step): { readonly method?: string; readonly body?: object } {
  switch (step.do) {
    case 'DELETE':
      return { method: 'DELETE' }
    case 'GET event stream':
      return { method: 'GET' }
    case 'initialize':
      return { body: initialize(step) }
    default:
      return { body: rpc(step.do ?? '') }
  }
}

function isAsExpected({ expect = '', protocolVersion }: Step, reply: Reply): boolean {
  if (!expect.startsWith(outcomeOf(reply))) return false
  const version = rpcOf(reply).result?.protocolVersion
  return protocolVersion === undefined || (version !== protocolVersion && (PROTOCOL_VERSIONS as readonly unknown[]).includes(version))
}

/** `alice, refreshed token` is alice with another token. */
const tokenOf = (name: string): string => name.replace(/, refreshed token$/, '.2')

async function runParallel(door: TestDoor, { parallel = [], repeat = 1 }: Step): Promise<Verdict> {
  const calls = Array.from({ length: repeat }, () => parallel).flat()
  let crossed = 0
  const worker = async (): Promise<void> => {
    for (let call = calls.shift(); call; call = calls.shift()) {
      const reply = rpcOf(await door.send({ body: callTool(call.tool, {}, call.id), headers: { authorization: `Bearer ${call.as}` } }))
      if (reply.id !== call.id || reply.result?.structuredContent?.subject !== call.as) crossed += 1
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return { right: crossed === 0, got: `${crossed} of ${repeat * parallel.length} answers crossed` }
}

async function runSteps(line: McpProtocolCase): Promise<Verdict> {
  const settings = { ...WITH_AUTH, rateLimitEnabled: false }
  return withDoor({ settings, identity: namesAsTokens(), tools: [whoami] }, async (door) => {
    const said: string[] = []
    for (const step of line.input.steps ?? []) {
      const { right, got } = await runStep(door, step)
      said.push(got)
      if (!right) return { right, got: said.join(' | ') }
    }
    return { right: said.length > 0, got: said.join(' | ') }
  })
}

async function withDoor(options: Parameters<typeof openTestDoor>[0], run: (door: TestDoor) => Promise<Verdict>): Promise<Verdict> {
  const door = await openTestDoor(options)
  try {
    const verdict = await run(door)
    const faults = door.rows.filter(({ outcome }) => outcome === 'fault').length
    return faults === 0 ? verdict : { right: false, got: `${faults} faults; ${verdict.got}` }
  } finally {
    await door.close()
  }
}

function runMessage(line: McpProtocolCase): Promise<Verdict> {
  const { message = '', messageGen } = line.input
  const body = messageGen ? messageGen.prefix + messageGen.repeat.repeat(messageGen.times) + messageGen.suffix : message
  return withDoor({}, async (door) => judge(line, await door.send({ body })))
}

const runErrorText = ({ input: { call, forbidText = [] } }: McpProtocolCase): Promise<Verdict> =>
  withDoor({}, async (door) => {
    const reply = await door.send({ body: callTool(call?.tool ?? '', call?.arguments) })
    return { right: rpcOf(reply).result?.isError === true && !forbidText.some((text) => reply.text.includes(text)), got: shown(reply) }
  })

/** Runs the case; anything thrown is a wrong outcome, not an error. */
export async function runMcpProtocolCase(line: McpProtocolCase): Promise<Verdict> {
  const { headers = {}, server } = line.input
  try {
    switch (line.kind) {
      case 'message':
        return await runMessage(line)
      case 'host-origin':
      case 'http':
        return await withDoor({ settings: server ?? {} }, async (door) => judge(line, await door.send({ body: LIST, headers })))
      case 'session':
      case 'lifecycle':
        return await runSteps(line)
      case 'error-text':
        return await runErrorText(line)
      default:
        return { right: false, got: 'a kind of case that is not known' }
    }
  } catch (error) {
    return { right: false, got: `threw ${error instanceof Error ? error.message : 'something'}` }
  }
}

/** For a run over the whole file; nothing is kept between lines. */
export const mcpProtocolRunner = (): { readonly run: (line: McpProtocolCase) => Promise<Verdict> } => ({ run: runMcpProtocolCase })
