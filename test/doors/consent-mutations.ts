/** Whatever changes between what a person was shown and what would run: it does not run. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { access, defineTool } from '../../src/index.ts'
import type { Replies } from '../../src/index.ts'
import type { Arrival } from '../../src/kernel/call.ts'
import { testApp } from '../../src/testing/index.ts'

const LIFE_MS = 300_000
const YES: Replies = { arrowhead_consent: { action: 'accept', content: { approve: true } } }

const ran: unknown[] = []
const act = (name: string) =>
  defineTool({
    name, title: 'An act', summary: 'Does something.', scope: 'git:write', level: 'CONFIRM', effect: 'delete',
    idempotent: true, openWorld: false, perMinute: 1_000_000, uses: [],
    input: z.strictObject({ target: z.string(), force: z.boolean().optional(), deep: z.json().optional() }),
    output: z.strictObject({ done: z.boolean() }), examples: [],
    touches: ({ target }) => [access('write', 'app:thing', target)],
    run(input) {
      ran.push(input)
      return { done: true }
    },
  })

/** One call, and everything that it is approved with. */
interface Try {
  readonly name: string
  readonly subject: string
  readonly args: object
  readonly ticket: string
  readonly replies: Replies
  readonly passMs: number
  readonly revision: string
}

type Mutation = (one: Try) => Try

const other = (text: string): fc.Arbitrary<string> => fc.string().filter((one) => one !== text)
const json = fc.jsonValue({ maxDepth: 2 })
const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b)

/** Each gives something that differs from what was shown; which one is drawn, and how far it goes, is chance. */
const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  other('feature-1').map((target): Mutation => (one) => ({ ...one, args: { ...one.args, target } })),
  fc.constantFrom(true, false).map((force): Mutation => (one) => ({ ...one, args: { ...one.args, force } })),
  json.filter((deep) => differs(deep, { a: [1] })).map((deep): Mutation => (one) => ({ ...one, args: { ...one.args, deep } })),
  fc.tuple(fc.string({ minLength: 1 }), json).map(([key, value]): Mutation => (one) => ({ ...one, args: { ...one.args, [`x${key}`]: value } })),
  fc.constant<Mutation>((one) => ({ ...one, args: {} })),
  fc.constant<Mutation>((one) => ({ ...one, name: 'act_two' })),
  other('ada').map((subject): Mutation => (one) => ({ ...one, subject })),
  fc.nat({ max: 10_000_000 }).map((ms): Mutation => (one) => ({ ...one, passMs: LIFE_MS + ms })),
  other('1').map((revision): Mutation => (one) => ({ ...one, revision })),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 61 })).map(([at, by]): Mutation => (one) => ({ ...one, ticket: turned(one.ticket, at, by) })),
  fc.nat().map((at): Mutation => (one) => ({ ...one, ticket: one.ticket.slice(0, at % one.ticket.length) })),
  fc.string().map((ticket): Mutation => (one) => ({ ...one, ticket })),
  json.filter((approve) => approve !== true).map((approve): Mutation => (one) => ({ ...one, replies: { arrowhead_consent: { action: 'accept', content: { approve } } } })),
  other('accept').map((action): Mutation => (one) => ({ ...one, replies: { arrowhead_consent: { action, content: { approve: true } } } })),
  json.map((reply): Mutation => (one) => ({ ...one, replies: { arrowhead_consent: reply } })),
  json.map((reply): Mutation => (one) => ({ ...one, replies: { another: reply } })),
)

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** One character of the ticket is another one. The last may hold bits that mean nothing. */
function turned(ticket: string, at: number, by: number): string {
  const index = at % (ticket.length - 1)
  const letter = LETTERS.indexOf(ticket.charAt(index))
  const next = letter < 0 ? 'x' : LETTERS.charAt((letter + by) % LETTERS.length)
  return `${ticket.slice(0, index)}${next}${ticket.slice(index + 1)}`
}

function world() {
  const policy = { revision: '1' }
  const authorizer = { allows: () => true, revision: () => policy.revision }
  const app = testApp({ settings: { rateLimitEnabled: false }, options: { tools: [act('act'), act('act_two')], replace: { authorizer } } })
  const call = ({ name, subject, args, revision }: Try, reply?: Arrival['reply']) => {
    policy.revision = revision
    return app.app.dispatch({ kind: 'tool', name, args }, app.app.callerOf(subject, ['git:write']), {
      door: 'http', capabilities: { elicitation: { form: {} } }, takesQuestions: true, ...(reply && { reply }),
    })
  }
  const shown = async (): Promise<Try> => {
    const one: Try = { name: 'act', subject: 'ada', args: { target: 'feature-1', deep: { a: [1] } }, ticket: '', replies: YES, passMs: 0, revision: '1' }
    const outcome = await call(one)
    if (outcome.is !== 'ask') throw new Error('nobody was asked')
    return { ...one, ticket: outcome.ticket }
  }
  const tried = async (one: Try) => {
    app.clock.pass(one.passMs)
    return call(one, { ticket: one.ticket, replies: one.replies })
  }
  return { shown, tried }
}

export function nothingChangedRuns(): void {
  it('what was shown runs when nothing changed', async () => {
    const { shown, tried } = world()
    ran.length = 0
    expect((await tried(await shown())).is).toBe('ok')
    expect(ran).toHaveLength(1)
  })
}

export function mutationsNeverRun(runs: number): void {
  it(`of ${runs} random changes between the question and the answer none runs`, async () => {
    const { shown, tried } = world()
    ran.length = 0
    let tries = 0
    await fc.assert(fc.asyncProperty(mutations, async (mutate) => {
      const outcome = await tried(mutate(await shown()))
      tries += 1
      expect(outcome.is).not.toBe('ok')
    }), { numRuns: runs })
    expect([tries, ran]).toEqual([runs, []])
  }, 300_000)
}
