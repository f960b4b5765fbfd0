/** Runs the MCP protocol cases over the workspace server's stdio: messages, the life cycle, texts of errors. HTTP is not there. */

import { mkdtempSync, realpathSync, rmSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspaceApp, findGround } from '../../src/app/workspace-start.ts'
import { loadSettings } from '../../src/config/index.ts'
import { HANDSHAKE, openPipe } from '../doors/stdio-pipe.ts'
import type { Frame, StdioPipe } from '../doors/stdio-pipe.ts'
import type { McpProtocolCase } from './mcp-protocol.ts'
import type { Verdict } from './case.ts'

/** The same mistakes with the tools that are here. */
const here = (text: string): string =>
  text.replaceAll('"calculate"', '"search_code"').replaceAll('"CALCULATE"', '"SEARCH_CODE"').replaceAll('"expression"', '"query"').replaceAll('"read_file"', '"search_code"')

const outcomeOf = (frame: Frame | undefined): 'allow' | 'refuse' => {
  const result = frame?.['result'] as { isError?: boolean } | undefined
  return result === undefined || result.isError === true ? 'refuse' : 'allow'
}

/** Sends one line, then waits for the answer to it or, where none is due, for that to a question behind it. */
async function answerTo(pipe: StdioPipe, line: string, id: unknown, isRequest: boolean): Promise<Frame | undefined> {
  pipe.write(`${line}\n`)
  if (isRequest) return pipe.frame((one) => one['id'] === id || one['id'] === null)
  await pipe.ask('ping')
  return pipe.frames.find((one) => one['id'] === id || one['id'] === null)
}

async function runMessage(pipe: StdioPipe, { input: { message = '', messageGen }, expect }: McpProtocolCase): Promise<Verdict> {
  const line = messageGen ? messageGen.prefix + messageGen.repeat.repeat(messageGen.times) + messageGen.suffix : here(typeof message === 'string' ? message : JSON.stringify(message))
  const { id, method } = typeof message === 'string' ? { id: null, method: '' } : (message as { id?: unknown; method?: unknown })
  const frame = await answerTo(pipe, line, id, method !== undefined)
  return { right: outcomeOf(frame) === expect, got: JSON.stringify(frame ?? null).slice(0, 160) }
}

async function runSteps(pipe: StdioPipe, { input: { steps = [] } }: McpProtocolCase): Promise<Verdict> {
  const said: string[] = []
  for (const { do: method = '', protocolVersion = '2025-11-25', capabilities = {}, expect } of steps) {
    const frame = await pipe.ask(method, method === 'initialize' ? { ...HANDSHAKE, protocolVersion, capabilities } : {})
    said.push(JSON.stringify(frame).slice(0, 100))
    if (expect !== undefined && !expect.startsWith(outcomeOf(frame))) return { right: false, got: said.join(' | ') }
  }
  return { right: said.length > 0, got: said.join(' | ') }
}

async function runErrorText(pipe: StdioPipe, { input: { call, forbidText = [] } }: McpProtocolCase): Promise<Verdict> {
  // A path that climbs is one here; a division by zero becomes a session that is not there.
  const isPath = call?.tool === 'read_file'
  const frame = await pipe.ask('tools/call', isPath ? { name: 'search_code', arguments: { query: 'x', path: '../x' } } : { name: 'read_session', arguments: { session_id: 'nothing' } })
  const text = JSON.stringify(frame)
  return { right: (frame['result'] as { isError?: boolean } | undefined)?.isError === true && !forbidText.some((one) => text.includes(one)), got: text.slice(0, 160) }
}

const RUNS: Readonly<Record<string, (pipe: StdioPipe, line: McpProtocolCase) => Promise<Verdict>>> = { message: runMessage, lifecycle: runSteps, 'error-text': runErrorText }

export function workspaceProtocolRunner() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-workspace-protocol-')))
  const [cwd, dataDir] = [join(base, 'repo'), join(base, 'data')]
  mkdirSync(cwd)
  const app = createWorkspaceApp(loadSettings({ file: '{"rateLimitEnabled":false}' }).values, { dataDir, cwd, ground: findGround(cwd, [dataDir]).ground, rules: [] })
  return {
    /** Only tools are offered, so a list of resources is rightly no method. */
    applies: ({ kind = '', input }: McpProtocolCase): boolean => Object.hasOwn(RUNS, kind) && !JSON.stringify(input.message ?? '').includes('resources/list'),
    async run(line: McpProtocolCase): Promise<Verdict> {
      const pipe = openPipe(app)
      const needsHandshake = line.kind === 'error-text'
      if (needsHandshake) await pipe.ask('initialize', HANDSHAKE)
      const verdict = await RUNS[line.kind ?? '']?.(pipe, line)
      await pipe.leave()
      return verdict ?? { right: false, got: 'a kind of case that is not known' }
    },
    async close(): Promise<void> {
      await app.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}
