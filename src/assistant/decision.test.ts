import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCall, parseDecision } from './decision.ts'

const call = (name: string, args: object = {}) => ({ is: 'call', name, args })

describe('a decision', () => {
  it.each<[string, object]>([
    ['{"tool":"look","args":{"what":"a"}}', call('look', { what: 'a' })],
    ['```json\n{"tool":"look","args":{}}\n```', call('look')],
    ['I will look. {"tool":"look","arguments":{"what":"}"}} and then {"tool":"remove"}', call('look', { what: '}' })],
    ['{"name":"look","parameters":{"a":[1,{"b":2}]}}', call('look', { a: [1, { b: 2 }] })],
    ['{"tool":"look"}', call('look')],
    ['{"thought":"hm","tool":"look","args":null}', call('look')],
    ['{"tool":"look","args":{"a":1,},}', call('look', { a: 1 })],
    ['{"tool":"look","args":{"a":True,"b":None}}', call('look', { a: true, b: null })],
    ['{"tool":"look","args":{"a":"x\ny, True}"}}', call('look', { a: 'x\ny, True}' })],
    ['{"tool":"look","answer":"","args":{}}', call('look')],
    ['{"answer":"Done."}', { is: 'answer', text: 'Done.' }],
    ['Just text.', { is: 'answer', text: 'Just text.' }],
    ['In C, write int f() { return 1; }', { is: 'answer', text: 'In C, write int f() { return 1; }' }],
    ['{name} and {other} {"tool": 1} {', { is: 'answer', text: '{name} and {other} {"tool": 1} {' }],
    ['The package is {"name":"left-pad","version":"1.0.0"}, and {"action":"none"} is no package.', { is: 'answer', text: 'The package is {"name":"left-pad","version":"1.0.0"}, and {"action":"none"} is no package.' }],
    ["In Python it is {'name': 'Ann'}.", { is: 'answer', text: "In Python it is {'name': 'Ann'}." }],
    ['A block opens with "{" there.', { is: 'answer', text: 'A block opens with "{" there.' }],
    ['```json\n{"name":"look"}\n```', call('look')],
    ['<think>Shall I? {"tool":"remove","args":{}} No.</think>\n{"tool":"look"}', call('look')],
    ['<think>{"tool":"remove"}</think>\n\nIt is 4.', { is: 'answer', text: 'It is 4.' }],
    ['The settings are {"port": 1}.', { is: 'answer', text: 'The settings are {"port": 1}.' }],
  ])('is read from %j', (text, decision) => {
    expect(parseDecision(text)).toEqual(decision)
  })

  it.each([
    '', '  ', '{"tool":"look","args":{"what":"a"', '{"tool":"look","answer":"x"}', '{"tool":"look","action":"remove"}', '{"tool":"look","args":{},"arguments":{"what":"main"}}',
    '{"tool":"look","args":[]}', '{"tool":"look","args":"{}"}', '{"tool":"look","tool":"remove"}', '{"tool":"look","args":{"what":"a","what":"b"}}', '{"tool":1}', '{}', '{tool:"look","args":{}}',
    '{"answer":""}', '{"answer":" "}', '<think>{"tool":"look"}', '<think>{"tool":"look"}</think>', '{"port": 1', 'A block opens with {, so {"tool":"look"}', 'In {place} stands {"tool":"look","args":{', 'In {place} stands it. {"name":"look","arguments":{}}',
    'In {place} stands it. {"tool":"look"}', 'The settings are {"port": 1}. {"tool":"look","args":{}}', 'f() { return {"a": 1} } then ```json\n{"tool":"look"}\n```',
    `{"tool":"look","args":{"a":${'['.repeat(100)}${']'.repeat(100)}}}`,
  ])('is not read from %j', (text) => {
    expect(parseDecision(text)).toMatchObject({ is: 'unreadable' })
  })

  it('is never made of anything, and never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => ['answer', 'unreadable', 'call'].includes(parseDecision(text).is)))
    const pieces = fc.constantFrom('{', '}', '"', '\\', ':', ',', '[', ']', '"tool"', '"args"', '"answer"', 'True', '1', ' ', '\n')
    fc.assert(fc.property(fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')), (text) => ['answer', 'unreadable', 'call'].includes(parseDecision(text).is)))
  })

  it('reads back every call that was written', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), fc.dictionary(fc.string().filter((key) => key !== '__proto__'), fc.jsonValue()), (name, args) => {
      const round = JSON.parse(JSON.stringify(args)) as object
      const depth = (value: unknown): number => (value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0)
      fc.pre(depth(round) < 60 && !JSON.stringify(round).includes('__proto__'))
      expect(parseDecision(`Here: ${JSON.stringify({ tool: name, args: round })} {"tool":"other"}`)).toEqual(call(name, round))
    }))
  })

  it.each<[string, object]>([
    ['{"port": 1}', { is: 'answer', text: '{"port": 1}' }],
    ['{"name":"left-pad","version":"1.0.0"}', { is: 'answer', text: '{"name":"left-pad","version":"1.0.0"}' }],
    ['Write {"tool":"look"} for that.', { is: 'answer', text: 'Write {"tool":"look"} for that.' }],
    ['{"name":"look","parameters":{}}', call('look')],
    ['{"tool":"look"', { is: 'unreadable', says: 'the JSON object does not end' }],
    ['<think>{"tool":"remove"}</think> Hi.', { is: 'answer', text: 'Hi.' }],
  ])('beside a provider’s own calling is read from %j', (text, decision) => {
    expect(parseDecision(text, { isNative: true })).toEqual(decision)
  })

  it('of a provider’s own calling is read from its arguments', () => {
    expect(parseCall('look', '')).toEqual(call('look'))
    expect(parseCall('look', '{"a":1}')).toEqual(call('look', { a: 1 }))
    for (const args of ['[]', '{"a":1', '{"a":1,"a":2}', 'null']) expect([args, parseCall('look', args).is]).toEqual([args, 'unreadable'])
    expect(parseCall('', '{}').is).toBe('unreadable')
  })
})
