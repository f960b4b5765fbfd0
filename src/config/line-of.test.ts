import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import { lineOf } from './line-of.ts'

const TEXT = `{
  "profile": "assistant", "port": 1,
  "security": {
    "note": "a { brace, a ] and a \\" quote",
    "denied_patterns": ["a/**",
      "b/**"],
    "tool_overrides": { "delete_file":
      "DENIED" }
  }
}`

it.each<[readonly (string | number)[], number | undefined]>([
  [['profile'], 2], [['port'], 2], [['security'], 3], [['security', 'denied_patterns'], 5], [['security', 'denied_patterns', 0], 5], [['security', 'denied_patterns', 1], 6],
  [['security', 'tool_overrides', 'delete_file'], 7], [['security', 'none'], undefined], [['security', 'denied_patterns', 2], undefined], [['profile', 'x'], undefined], [[], 1],
])('finds %j on line %s', (path, line) => expect(lineOf(TEXT, path)).toBe(line))

it('finds every member of any object, printed a line each', () => {
  fc.assert(fc.property(fc.dictionary(fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }), (object) => {
    const text = JSON.stringify(object, undefined, 1)
    for (const key of Object.keys(object)) expect(text.split('\n')[(lineOf(text, [key]) ?? 0) - 1]?.trim().startsWith(JSON.stringify(key))).toBe(true)
  }), { numRuns: 200 })
})

it('comes to an end with any text', () => {
  fc.assert(fc.property(fc.string(), fc.array(fc.oneof(fc.string(), fc.nat(5)), { maxLength: 4 }), (text, path) => {
    lineOf(text, path)
  }), { numRuns: 500 })
})
