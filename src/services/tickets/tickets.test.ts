import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testClock } from '../../testing/index.ts'
import { createMemoryNonces } from '../limits/memory-nonces.ts'
import { createSeal, createSealedSessions, createSealedTickets } from './index.ts'

const SECRET = 's'.repeat(32)

function desk(secret = SECRET) {
  const clock = testClock()
  const seal = createSeal(() => secret)
  const nonces = createMemoryNonces(clock)
  return { clock, tickets: createSealedTickets({ seal, clock, nonces, lifeMs: 60_000 }), sessions: createSealedSessions(seal, clock, nonces) }
}

describe('a ticket', () => {
  it('gives its state back once, under its own binding', () => {
    const { tickets } = desk()
    const ticket = tickets.seal({ step: 1 }, 'ada deletes a')
    expect(tickets.redeem(ticket, 'ada deletes b')).toBeUndefined()
    expect(tickets.redeem(ticket, 'ada deletes a')).toEqual({ state: { step: 1 } })
    expect(tickets.redeem(ticket, 'ada deletes a')).toBeUndefined()
  })

  it('is not new again because it is spelled another way', () => {
    const { tickets } = desk()
    const ticket = tickets.seal({}, 'x')
    expect(tickets.redeem(ticket, 'x')).toBeDefined()
    for (const spelled of [`${ticket}=`, `${ticket} `, ticket.replaceAll('-', '+').replaceAll('_', '/'), `${ticket.slice(0, 9)}\n${ticket.slice(9)}`]) {
      expect(tickets.redeem(spelled, 'x')).toBeUndefined()
    }
  })

  it('ends with its time', () => {
    const { clock, tickets } = desk()
    const ticket = tickets.seal({}, 'x')
    clock.pass(60_000)
    expect(tickets.redeem(ticket, 'x')).toBeUndefined()
  })

  it('tells its bearer nothing, and is worth nothing once altered', () => {
    fc.assert(fc.property(fc.string({ minLength: 8 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (secret, at, flip) => {
      const { tickets } = desk()
      const ticket = tickets.seal({ secret }, 'x')
      expect(Buffer.from(ticket.slice(3), 'base64url').includes(Buffer.from(secret))).toBe(false)
      const bytes = Buffer.from(ticket.slice(3), 'base64url')
      bytes.writeUInt8(bytes.readUInt8(at % bytes.length) ^ flip, at % bytes.length)
      expect(tickets.redeem(`v1.${bytes.toString('base64url')}`, 'x')).toBeUndefined()
    }))
  })

  it('opens on every replica with the same key and on no other', () => {
    const ticket = desk().tickets.seal({ a: 1 }, 'x')
    expect(desk().tickets.redeem(ticket, 'x')).toEqual({ state: { a: 1 } })
    expect(desk('t'.repeat(32)).tickets.redeem(ticket, 'x')).toBeUndefined()
  })

  it.each(['', 'v1.', 'v1.AAAA', 'guess', 'v2.x', 'v1.'.padEnd(40_000, 'A')])('is no made-up text', (made) => {
    expect(desk().tickets.redeem(made, 'x')).toBeUndefined()
  })
})

describe('a session id', () => {
  it('says what its client can be asked, to its own subject, until it is ended', async () => {
    const { sessions } = desk()
    const id = sessions.open('ada', { elicitation: { form: {} } })
    expect(await sessions.find(id, 'ada')).toEqual({ elicitation: { form: {} } })
    expect(await sessions.find(id, 'bob')).toBeUndefined()
    await sessions.end(id, 'bob')
    expect(await sessions.find(id, 'ada')).toBeDefined()
    await sessions.end(id, 'ada')
    expect(await sessions.find(id, 'ada')).toBeUndefined()
  })

  it('is over after a day, and no ticket is one', async () => {
    const { clock, sessions, tickets } = desk()
    const id = sessions.open('ada', {})
    expect(await sessions.find(tickets.seal({}, 'session\nada').replace('v1.', 's1.'), 'ada')).toBeUndefined()
    clock.pass(86_400_000)
    expect(await sessions.find(id, 'ada')).toBeUndefined()
  })
})
