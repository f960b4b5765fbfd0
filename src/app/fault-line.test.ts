import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { defineTool } from '../kernel/tool.ts'
import { testApp } from '../testing/index.ts'
import { faultLine } from './fault-line.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = ['OxGtAYL', 'nnqTqHa', 'PtdqAFW', 'pNLrLwd', 'tFCsFIX', 'x'].join('')

const withStack = (...frames: readonly string[]): Error => Object.assign(new Error('boom'), { stack: ['Error: boom', ...frames].join('\n') })
const broken = (property: string): Error => Object.defineProperty(new Error('boom'), property, { get() { throw new Error(SECRET) } })

/** Things that somebody may throw. */
const THROWN: readonly (readonly [string, unknown])[] = [
  ['an error with a secret in its message', new Error(`connect failed: postgres://u:${SECRET}@db/x`)],
  ['one whose message reads like frames', new Error(`a\n    at f (${SECRET}:1:1)`)],
  ['one that is due to another', new Error('boom', { cause: new Error(SECRET) })],
  ['one with a stack of somebody else\u2019s', withStack(`    at f (token=${SECRET})`, `    at f (/app/x.js?token=${SECRET}:1:2)`, `    at token: ${SECRET}`)],
  ['one whose class is called a sentence', new (Object.defineProperty(class extends Error {}, 'name', { value: `no ${SECRET}` }))('boom')],
  ['one that cannot be asked for its stack', broken('stack')], ['one that cannot be asked for its message', broken('message')], ['one that cannot be asked for its class', broken('constructor')],
  ['one without a class', Object.defineProperty(new Error('boom'), 'constructor', { value: undefined })],
  ['one whose members are no texts', Object.assign(new Error('boom'), { message: 7, stack: 9 })],
  ['a text', SECRET], ['nothing', undefined], ['an object without a prototype', Object.create(null)],
]

describe('the line of a fault', () => {
  it('names the class and the places of the stack', () => {
    const { stack, ...line } = JSON.parse(faultLine('i-1', new RangeError('boom'), 0)) as { stack: readonly string[] }
    expect(line).toEqual({ ts: '1970-01-01T00:00:00.000Z', event: 'fault', incident: 'i-1', class: 'RangeError' })
    expect(stack[0]).toMatch(/^at .*fault-line\.test\.ts:\d+:\d+\)?$/)
  })

  it.each(['at f (file:///a b/x.js:1:2)', 'at async Promise.all (index 0)', 'at Array.map (<anonymous>)', 'at new X (node:internal/x:1:2)', 'at C:\\x\\y.js:1:2', 'at eval (eval at f (/x.js:1:2), <anonymous>:3:4)'])('shows %s', (frame) => {
    expect(JSON.parse(faultLine('i-1', withStack(`    ${frame}`), 0))).toMatchObject({ stack: [frame] })
  })

  it.each(THROWN)('holds no secret of %s, and is always there', (_what, thrown) => {
    const line = faultLine('i-1', thrown, 0)
    expect(line).not.toContain(SECRET)
    expect(JSON.parse(line)).toMatchObject({ event: 'fault', incident: 'i-1' })
  })

  it.each(THROWN)('stands beside the row of the call that threw %s', async (_what, thrown) => {
    const boom = defineTool({
      name: 'boom', title: 'Boom', summary: 'Fails.', scope: 'world:use', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 60, uses: [],
      input: z.strictObject({}), output: z.strictObject({ done: z.boolean() }), examples: [{ title: 'One', input: {} }], touches: () => [],
      run: () => {
        throw thrown
      },
    })
    const { call, rows, lines } = testApp({ options: { tools: [boom] } })
    expect(await call('boom')).toEqual({ is: 'fault', incident: expect.any(String) })
    expect(rows).toMatchObject([{ component: 'boom', outcome: 'fault' }])
    expect(lines).toHaveLength(2)
    expect(JSON.stringify([rows, lines])).not.toContain(SECRET)
  })
})
