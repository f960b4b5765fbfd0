import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { mediaFault, parseAccept } from './media.ts'

const withHeaders = (type: string | readonly string[] | undefined, headers: Readonly<Record<string, string>> = {}): IncomingMessage =>
  ({ headers, rawHeaders: type === undefined ? [] : [type].flat().flatMap((value) => ['Content-Type', value]) }) as unknown as IncomingMessage

it.each([['application/json'], ['Application/JSON'], ['application/json; charset=utf-8'], ['application/json;charset="UTF-8"'], ['application/json ;']])('reads a body of %s', (type) => {
  expect(mediaFault(withHeaders(type))).toBeUndefined()
})

it.each([
  ['text/plain'], ['application/json-rpc'], ['application/json; charset=utf-16'], ['text/plain; x=application/json'], ['application/json, text/plain'], [''],
  ['application/jsonx'], ['application/vnd.api+json'], ['application/json; boundary=x'],
])('does not read a body of %j', (type) => {
  expect(mediaFault(withHeaders(type))).toBe('http.media-type')
})

it('does not read a body without a type, with two, or in a coding', () => {
  expect(mediaFault(withHeaders(undefined))).toBe('http.media-type')
  expect(mediaFault(withHeaders(['application/json', 'application/json']))).toBe('http.media-type')
  expect(mediaFault(withHeaders('application/json', { 'content-encoding': 'gzip' }))).toBe('http.media-type')
  expect(mediaFault(withHeaders('application/json', { 'content-encoding': 'identity' }))).toBeUndefined()
})

it.each([
  [undefined, true, true], ['', true, true], ['*/*', true, true], ['application/json', true, false], ['text/event-stream', false, true],
  ['application/json, text/event-stream', true, true], ['Application/*;q=0.5', true, false], ['text/*', false, true],
  ['text/html', false, false], ['application/json;q=0', false, false], ['application/json;q=0.000, text/event-stream', false, true],
  ['x-application/json', false, false], ['text/html, application/xhtml+xml, */*;q=0.8', true, true],
])('understands Accept: %s', (value, json, events) => {
  expect(parseAccept(value)).toEqual({ json, events })
})

it('accepts nothing in a header of absurd length', () => {
  expect(parseAccept(`${'a/b,'.repeat(1_000)}*/*`)).toEqual({ json: false, events: false })
})
