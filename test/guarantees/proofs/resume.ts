import { expect } from 'vitest'
import type { Arrival, Outcome } from '../../../src/kernel/call.ts'
import type { Caller } from '../../../src/kernel/caller.ts'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { OpenWorld, World } from '../world.ts'

const DOOR: Arrival = { door: 'http', takesQuestions: true, capabilities: { elicitation: {} } }
const replies = { arrowhead_consent: { action: 'accept', content: { approve: true } } }

interface Asking extends OpenWorld {
  readonly ann: Caller
  /** Calls a tool that needs a person. */
  first(args?: object): Promise<Outcome>
  /** Calls it again with a yes to what was asked. */
  again(ticket: string, how?: { readonly as?: Caller; readonly args?: object; readonly name?: string }): Promise<string>
}

function asking({ open }: World, ran: unknown[], perMinute = 60): Asking {
  const tools = ['probe', 'other'].map((name) => probe({ name, perMinute, level: 'CONFIRM', run: ({ text }) => void ran.push(text) }))
  const world = open({ options: { tools } })
  const ann = world.app.callerOf('ann', ['tools:read'])
  return {
    ...world, ann,
    first: (args = { text: 'a' }) => world.dispatch({ kind: 'tool', name: 'probe', args }, ann, DOOR),
    again: async (ticket, { as = ann, args = { text: 'a' }, name = 'probe' } = {}) =>
      codeOf(await world.dispatch({ kind: 'tool', name, args }, as, { ...DOOR, reply: { ticket, replies } })),
  }
}

function ticketOf(outcome: Outcome): string {
  if (outcome.is !== 'ask') throw new Error('nothing was asked')
  return outcome.ticket
}

export const resume: Area = (proves) => {
  proves('resume.once', 'a ticket of another caller, call, time or making opens nothing, and the right one opens once', async (world) => {
    const ran: unknown[] = []
    const { app, clock, first, again } = asking(world, ran)
    const ticket = ticketOf(await first())
    const wrong = [
      await again(ticket, { as: app.callerOf('bob', ['tools:read']) }), await again(ticket, { args: { text: 'b' } }), await again(ticket, { args: {} }), await again(ticket, { name: 'other' }),
      await again(`${ticket}x`), await again(ticket.slice(0, -4)), await again('v1.'), await again(''),
    ]
    expect(new Set(wrong)).toEqual(new Set(['consent.ticket']))
    expect(ran).toEqual([])
    expect([await again(ticket), await again(ticket), await again(ticket.concat('='))]).toEqual(['ok', 'consent.ticket', 'consent.ticket'])
    const old = ticketOf(await first())
    clock.pass(300_000)
    expect(await again(old)).toBe('consent.ticket')
    expect(ran).toEqual(['a'])
  })

  proves('resume.counted-once', 'two calls with an answer each fit a rate of two, and guesses at tickets use it up', async (world) => {
    const { first, again } = asking(world, [], 2)
    for (const call of [first, first]) expect(await again(ticketOf(await call()))).toBe('ok')
    expect(codeOf(await first())).toBe('quota.spent')
    const guessing = asking(world, [], 2)
    expect([await guessing.again('v1.x'), await guessing.again('v1.x'), await guessing.again('v1.x')]).toEqual(['consent.ticket', 'consent.ticket', 'quota.spent'])
  })
}
