/** Runs one scenario of confirmation: a tool that deletes, a person who is asked, and whatever comes back with the call. */

import * as z from 'zod'
import { access, defineTool } from '../../src/index.ts'
import type { Replies } from '../../src/index.ts'
import type { Arrival } from '../../src/kernel/call.ts'
import { testApp } from '../../src/testing/index.ts'
import type { TestApp } from '../../src/testing/index.ts'
import type { Case, Verdict } from './case.ts'

type Args = Readonly<Record<string, unknown>>

export type ConfirmCase = Case<{
  readonly call: { readonly tool: string; readonly arguments: Args }
  /** What stands for the ticket: `valid`, where it came from instead, or its text. */
  readonly token?: string
  readonly changed?: Args
  readonly reordered?: Args
  readonly optional?: Args
  readonly utf8?: string
  readonly parallel?: number
  readonly two?: readonly string[]
  readonly elicitation?: string
  readonly content?: Args
  readonly afterRestart?: boolean
  readonly newToken?: string
  readonly toolOutput?: string
  readonly [flag: string]: unknown
}>

const KNOWN = new Set(['call', 'token', 'changed', 'reordered', 'optional', 'utf8', 'parallel', 'two', 'elicitation', 'content', 'afterRestart', 'newToken', 'toolOutput'])
const DAY_MS = 86_400_000
const replied = (action: string, content?: unknown): Replies => ({ arrowhead_consent: { action, ...(content !== undefined && { content }) } }) as Replies
const YES = replied('accept', { approve: true })

const tool = (name: string, level: 'SAFE' | 'CONFIRM', ran: () => void) =>
  defineTool({
    name, title: 'A tool', summary: 'Does one thing.', scope: 'git:write', level, effect: level === 'SAFE' ? 'read' : 'delete',
    idempotent: true, openWorld: false, perMinute: 1_000, uses: [], examples: [],
    input: z.strictObject({ name: z.string().optional(), q: z.string().optional(), expression: z.string().optional(), force: z.boolean().optional(), reason: z.string().optional(), more: z.json().optional() }),
    output: z.strictObject({ done: z.boolean() }),
    touches: ({ name: branch = 'all' }) => [access(level === 'SAFE' ? 'read' : 'write', 'app:branch', branch)],
    run: () => {
      ran()
      return { done: true }
    },
  })

class Scene {
  ran = 0
  readonly #app: TestApp
  readonly #tool: string

  constructor(name: string) {
    this.#tool = name
    const count = () => void (this.ran += 1)
    const names = new Set([name, 'delete_tag'])
    // A name that is taken is a tool of this server's own, which is called as it is.
    const tools = [...names].filter((one) => one !== 'calculate').map((one) => tool(one, /^(?:list|search|get|read)/.test(one) ? 'SAFE' : 'CONFIRM', count))
    this.#app = testApp({ settings: { rateLimitEnabled: false }, options: { tools, replace: { authorizer: { allows: () => true, revision: () => '1' } } } })
  }

  async call(args: unknown, { by = 'ada', name = this.#tool, ...arrival }: Partial<Arrival> & { readonly by?: string; readonly name?: string } = {}) {
    const caller = this.#app.app.callerOf(by, ['git:write', 'tools:read'])
    const outcome = await this.#app.app.dispatch({ kind: 'tool', name, args }, caller, { door: 'http', ...arrival })
    if (outcome.is === 'ok' && name === 'calculate') this.ran += 1
    return outcome
  }

  async ticket(args: unknown, who: { readonly by?: string; readonly name?: string } = {}): Promise<string> {
    const outcome = await this.call(args, { ...who, ...CAN_ASK })
    return outcome.is === 'ask' ? outcome.ticket : ''
  }

  answer = (args: unknown, ticket: string, replies: Replies = YES) => this.call(args, { ...CAN_ASK, reply: { ticket, replies } })
  pass = (ms: number): void => this.#app.clock.pass(ms)
}

const CAN_ASK = { capabilities: { elicitation: { form: {} } }, takesQuestions: true } as const

async function ticketFor(scene: Scene, args: Args, token: string): Promise<string> {
  if (/of another (?:call|branch|arg)/.test(token)) return scene.ticket({ ...args, name: 'another' })
  if (/of another tool/.test(token)) return scene.ticket(args, { name: 'delete_tag' })
  if (/of another/.test(token)) return scene.ticket(args, { by: 'mallory' })
  if (!/valid|expired|old|used|replay|twice/.test(token)) return token
  const ticket = await scene.ticket(args)
  if (/used|replay|twice/.test(token)) {
    await scene.answer(args, ticket)
    scene.ran = 0
  }
  if (/expired|old/.test(token)) scene.pass(DAY_MS)
  return ticket
}

async function answered(scene: Scene, args: Args, elicitation: string, content: Args | undefined): Promise<void> {
  if (/without/.test(elicitation)) return void (await scene.call(args))
  // Scenarios call the asked value `ok`.
  const given = content === undefined ? { approve: true } : 'ok' in content ? { approve: content['ok'] } : content
  for (const word of elicitation.split(/, then asked anew and /)) {
    const action = /declin/.test(word) ? 'decline' : /cancel/.test(word) ? 'cancel' : /accept/.test(word) ? 'accept' : word
    await scene.answer(args, await scene.ticket(args), replied(action, action === 'accept' ? given : undefined))
  }
}

async function play(scene: Scene, input: ConfirmCase['input']): Promise<boolean> {
  const { call, token, changed, reordered, optional, utf8, parallel = 1, two, elicitation, content, afterRestart } = input
  const flags = Object.fromEntries(Object.entries(input).filter(([key]) => !KNOWN.has(key)))
  const args: Args = { ...call.arguments, ...flags, ...optional, ...(utf8 !== undefined && { name: utf8 }), ...(reordered && { more: { ...reordered, z: 1 } }) }
  if (elicitation !== undefined) await answered(scene, args, elicitation, content)
  else if (two) for (const _ of two) await scene.answer(args, await scene.ticket(args))
  else if (token !== undefined) {
    const ticket = await ticketFor(scene, args, token)
    const again = changed ?? (reordered ? { more: { z: 1, ...reordered }, ...Object.fromEntries(Object.entries(args).filter(([key]) => key !== 'more').reverse()) } : args)
    const last = afterRestart === true ? new Scene(call.tool) : scene
    await Promise.all(Array.from({ length: parallel }, () => last.answer(again, ticket)))
    if (last !== scene) scene.ran = last.ran
  } else await scene.call(args)
  return parallel > 1 ? scene.ran > 1 : two ? scene.ran === two.length : scene.ran > 0
}

export async function runConfirmCase({ input, expect }: ConfirmCase): Promise<Verdict> {
  const got = (await play(new Scene(input.call.tool), input)) ? 'allow' : 'refuse'
  return { right: got === expect, got }
}
