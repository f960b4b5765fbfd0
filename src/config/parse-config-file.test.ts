import { describe, expect, it } from 'vitest'
import { parseConfigFile } from './parse-config-file.ts'

describe('the text of a config file', () => {
  it('gives its keys and values, without the pointer to the schema', () => {
    const text = '\uFEFF{"$schema": "./arrowhead.schema.json", "port": 9000, "allowedHosts": ["a"]}'
    expect(parseConfigFile(text)).toEqual({
      entries: [
        ['port', 9000],
        ['allowedHosts', ['a']],
      ],
      problems: [],
    })
  })

  it.each(['', '[]', 'null', '{', '"x"', '{"port": 1,}'])('%j is one problem', (text) => {
    expect(parseConfigFile(text)).toEqual({ entries: [], problems: [expect.stringContaining('one JSON object')] })
  })

  it.each([
    '{"authEnabled": true, "authEnabled": false}',
    '{"authEnabled": true, "auth\\u0045nabled": false}',
    '{"authzPolicy": {"grants": [{"subject": "a", "subject": "*"}]}}',
  ])('%s is refused because a key is repeated', (text) => {
    expect(parseConfigFile(text).problems).toEqual([expect.stringContaining('repeated')])
  })

  it('may use one key in several objects, and text that looks like keys', () => {
    const text = '{"a": [{"x": 1}, {"x": 2}], "b": {"x": "\\"x\\": 1, \\"x\\": 2"}, "x": "}"}'
    expect(parseConfigFile(text).problems).toEqual([])
  })
})
