import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMessage } from './message.ts'

const request = (more = '') => `{"jsonrpc":"2.0","id":1,"method":"tools/list"${more}}`

describe('readMessage', () => {
  it.each([
    ['a request', request(), { is: 'request', id: 1, method: 'tools/list' }],
    ['id zero', '{"jsonrpc":"2.0","id":0,"method":"ping"}', { is: 'request', id: 0 }],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}', { is: 'notification' }],
    ['a response', '{"jsonrpc":"2.0","id":9,"result":{}}', { is: 'response', id: 9 }],
    ['colons and braces in strings', request(',"params":{"x":"a:{b:c}\\":{"}'), { is: 'request' }],
    ['equal keys in different objects', request(',"params":{"a":{"x":1},"b":{"x":1}}'), { is: 'request' }],
    ['case twins in a free-form object', request(',"params":{"arguments":{"payload":{"A":1,"a":2}}}'), { is: 'request' }],
    ['a key named __proto__', request(',"params":{"__proto__":1}'), { is: 'request' }],
  ])('reads %s', (_what, text, expected) => {
    expect(readMessage(text)).toMatchObject(expected)
  })

  it.each([
    ['no JSON', 'nope', 'message.not-json'],
    ['a batch', `[${request()}]`, 'message.batch'],
    ['an empty batch', '[]', 'message.batch'],
    ['a bare value', '"x"', 'message.invalid'],
    ['a repeated key', request(',"id":2'), 'message.duplicate-key'],
    ['a repeated key spelled with an escape', request(',"\\u0069d":2'), 'message.duplicate-key'],
    ['a repeated key deep inside', request(',"params":{"a":[{"x":1,"x":2}]}'), 'message.duplicate-key'],
    ['a repeated __proto__', request(',"params":{"__proto__":1,"__proto__":2}'), 'message.duplicate-key'],
    ['case twins beside each other', request(',"Method":"x"'), 'message.invalid'],
    ['case twins in the parameters', request(',"params":{"name":"a","Name":"b"}'), 'message.invalid'],
    ['case twins in the arguments', request(',"params":{"arguments":{"path":"a","Path":"b"}}'), 'message.invalid'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"x"}', 'message.invalid'],
    ['id null', '{"jsonrpc":"2.0","id":null,"method":"x"}', 'message.invalid'],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"x"}', 'message.invalid'],
    ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"x"}', 'message.invalid'],
    ['parameters that are a list', request(',"params":[1]'), 'message.invalid'],
    ['result and error at once', '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', 'message.invalid'],
    ['a method and a result', request(',"result":{}'), 'message.invalid'],
    ['200 levels of nesting', request(`,"params":{"a":${'['.repeat(200)}${']'.repeat(200)}}`), 'message.invalid'],
  ])('refuses %s', (_what, text, code) => {
    expect(readMessage(text)).toMatchObject({ is: 'refused', code })
  })

  it('answers any text, and never takes a repeated key for a single one', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]":,\\ aid1') })), (text) => {
      expect(['request', 'notification', 'response', 'refused']).toContain(readMessage(text).is)
    }), { numRuns: 2000 })
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"v":${JSON.stringify(value)}}}`
      expect(readMessage(text)).toMatchObject({ is: 'request' })
    }))
  })
})
