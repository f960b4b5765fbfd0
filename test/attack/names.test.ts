/** Names and URIs that were never registered, in every place that takes one. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Request } from '../../src/kernel/call.ts'
import { codeOf } from '../guarantees/probes.ts'
import { MARK, holdsMark, openServer } from './arsenal.ts'
import type { Server } from './arsenal.ts'

const MEGABYTE = 1_000_000
const INHERITED = ['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__defineGetter__', 'then', 'length']

const NAMES: readonly string[] = [
  ...INHERITED, '', ' ', 'CALCULATE', 'Calculate', 'calculate ', ' calculate', 'calculate\u0000', 'calculate\n', 'сalculate', 'calculate\u200b', 'calcul\u0061\u0301te', 'tools\ncalculate', 'calculate/../read_file', 'calculate.constructor',
  MARK, `${MARK}\r\nX: 1`, `\u001b[2J${MARK}`, `${'{'.repeat(1_000)}${MARK}`, `%s%n${MARK}`, MARK.repeat(MEGABYTE / 4), 'a'.repeat(MEGABYTE), 'unknown', 'UNKNOWN', 'null', 'undefined',
]

const URIS: readonly string[] = [
  ...INHERITED, ...INHERITED.map((name) => `arrowhead://${name}`), '', 'arrowhead://', 'arrowhead:integrity', 'arrowhead:///integrity', 'ARROWHEAD://INTEGRITY', 'arrowhead://integrity/', 'arrowhead://integrity?', 'arrowhead://integrity#',
  `arrowhead://integrity?${MARK}`, 'arrowhead://integrity%00', 'arrowhead://%69ntegrity', 'arrowhead://integrity%2f..', 'arrowhead://x/../integrity', ' arrowhead://integrity', 'arrowhead://integrity\n', 'arrowhead://intеgrity',
  `%${MARK}`, '%', '%zz', '%c0%ae%c0%ae', `%25${'25'.repeat(10_000)}`, `docs://${MARK}`, `docs://../../${MARK}`, `docs://%2e%2e%2f${MARK}`, `none://${MARK}`, `file:///${MARK}`, `http://127.0.0.1/${MARK}`, `arrowhead://${'%2e'.repeat(100_000)}`,
  `arrowhead://${MARK.repeat(MEGABYTE / 4)}`, `\ud800${MARK}`,
]

let server: Server
beforeAll(() => {
  server = openServer()
})
afterAll(() => server.close())

const PLACES: readonly (readonly [where: string, names: readonly string[], make: (name: string) => Request])[] = [
  ['a tool name', NAMES, (name) => ({ kind: 'tool', name, args: {} })],
  ['a prompt name', NAMES, (name) => ({ kind: 'prompt', name, args: {} })],
  ['a resource URI', URIS, (uri) => ({ kind: 'resource', uri })],
  ['a prompt to complete', NAMES, (name) => ({ kind: 'completion', of: 'prompt', name, argument: name.slice(0, 90), typed: name.slice(0, 900) })],
  ['a template to complete', URIS, (name) => ({ kind: 'completion', of: 'resource', name, argument: name.slice(0, 90), typed: name.slice(0, 900) })],
]

describe.each(PLACES)('%s', (_where, names, make) => {
  it('that was never registered is unknown, whatever it looks like', async () => {
    for (const name of names) {
      const outcome = await server.ask(make(name))
      // A completion says nothing of it; what it was is on record either way.
      expect([name.slice(0, 80), codeOf(outcome)]).toEqual([name.slice(0, 80), make(name).kind === 'completion' ? 'ok' : 'component.unknown'])
      expect(server.rows.at(-1)).toMatchObject({ code: 'component.unknown' })
      expect(holdsMark(outcome)).toBe(false)
    }
  })
})

it('a name that was made up never becomes a label in the trail or the log', () => {
  expect(new Set(server.rows.map(({ component }) => component))).toEqual(new Set(['unknown']))
  expect(holdsMark([server.rows, server.lines])).toBe(false)
})

it('completing an argument by an inherited name completes nothing', async () => {
  for (const argument of INHERITED) {
    const outcome = await server.ask({ kind: 'completion', of: 'resource', name: 'arrowhead://integrity', argument, typed: '' })
    expect([argument, outcome]).toMatchObject([argument, { is: 'ok', answer: { value: { values: [] } } }])
  }
})

it('leaves a server that still works', async () => {
  expect(codeOf(await server.ask({ kind: 'resource', uri: 'arrowhead://integrity' }))).toBe('ok')
  expect(({} as Record<string, unknown>)[MARK]).toBeUndefined()
})
