import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { contentAnswer, definePrompt, defineResource, messagesAnswer } from './resource.ts'

const shown = { name: 'mine', title: 'Mine', summary: 'Says one.', scope: 'tools:read', uses: [], touches: () => [] } as const
const resource = (over: object): unknown => defineResource({ ...shown, uri: 'mine://one', mimeType: 'text/plain', read: () => ({ text: '1', mimeType: 'text/plain' }), ...over })
const prompt = (over: object): unknown => definePrompt({ ...shown, input: z.strictObject({}), messages: () => [], ...over })

describe.each([['resource', resource], ['prompt', prompt]])('a %s of somebody’s own', (_, declare) => {
  it.each([
    ['title', undefined], ['summary', ''], ['scope', 'tools'], ['scope', undefined], ['uses', undefined], ['touches', undefined],
  ])('is not declared where %s is %j', (part, value) => {
    expect(() => declare({ [part]: value })).toThrow(new RegExp(`^mine(://one)?: ${part} is `))
  })
})

it('a resource is not declared without a URI or a way to read it, or with a format that nobody cleans', () => {
  expect(() => resource({ uri: undefined })).toThrow('a resource has a URI')
  for (const [part, value] of [['name', undefined], ['read', undefined], ['mimeType', undefined], ['outside', 'Text'], ['fenced', 'no']] as const) {
    expect(() => resource({ [part]: value })).toThrow(`mine://one: ${part} is `)
  }
  expect(() => resource({ outside: 'text', fenced: false })).not.toThrow()
})

it('a prompt is not declared without a name, messages or an object of arguments', () => {
  expect(() => prompt({ name: undefined })).toThrow('a prompt has a name')
  for (const [part, value] of [['messages', undefined], ['input', { type: 'object' }]] as const) expect(() => prompt({ [part]: value })).toThrow(`mine: ${part} is `)
})

it('what a read gives is a text or bytes, and what a prompt gives are messages: no client could read anything else', () => {
  for (const given of [{}, { text: 5 }, { blob: 5 }, { blob: undefined, text: 'a' }]) expect(() => contentAnswer(given as never, 'mine://one')).toThrow(TypeError)
  for (const given of [{ text: 'a' }, { role: 'system', text: 'a' }, { role: 'user' }, { role: 'user', text: 5 }, { role: 'user', content: null }]) {
    expect(() => messagesAnswer('', [given as never])).toThrow(TypeError)
  }
  expect(messagesAnswer('d', [{ role: 'user', text: '' }, { role: 'assistant', content: { type: 'text', text: 'a' } }]).blocks).toHaveLength(1)
})
