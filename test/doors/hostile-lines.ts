/** Hostile lines for the stdio door, and what an honest reader expects of each, worked out without our code. */

import fc from 'fast-check'

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'note', arguments: { text: 'hi' }, _meta: { progressToken: 1 } } }
const VALID: readonly object[] = [
  CALL,
  { jsonrpc: '2.0', id: 'a', method: 'tools/list' },
  { jsonrpc: '2.0', id: 0, method: 'ping', params: {} },
  { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'page://one' } },
  { jsonrpc: '2.0', id: 3, method: 'prompts/get', params: { name: 'greet', arguments: { who: 'ann' } } },
  { jsonrpc: '2.0', id: 4, method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: '' } } },
  { jsonrpc: '2.0', id: 5, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '0' } } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
  { jsonrpc: '2.0', id: 9, result: {} },
]

const WORDS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'name', 'arguments', '_meta', 'progressToken', '__proto__', 'constructor', 'Method', 'ID'] as const
const ODD: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, '', '2.0', 'ping', 'tools/call', [], {}, [[]], { toString: 1 }, '\u0000', '\u2028', '\ud800'),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Paths of every member, the root's own included. */
function paths(value: unknown, under: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [under]
  return [under, ...Object.entries(value).flatMap(([key, child]) => paths(child, [...under, key]))]
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  return { ...(value as object), [key]: replaced((value as Readonly<Record<string, unknown>>)[key], rest, by) }
}

/** A valid message in which one member has another value, a new member, or none. */
const mutated = fc.constantFrom(...VALID).chain((message) =>
  fc.tuple(fc.constantFrom(...paths(message)), ODD, fc.constantFrom(...WORDS), fc.constantFrom('change', 'add', 'drop')).map(([path, odd, word, how]) => {
    if (how === 'change') return JSON.stringify(replaced(message, path, odd))
    if (how === 'add') return JSON.stringify(replaced(message, [word], odd))
    const [last] = path.slice(-1)
    return JSON.stringify(message, (key, value: unknown) => (key !== '' && key === last ? undefined : value))
  }))

/** A valid message whose text is cut, doubled or has a character changed. */
const torn = fc.tuple(fc.constantFrom(...VALID), fc.nat(200), fc.constantFrom('cut', 'double', 'swap'), fc.string({ maxLength: 3 })).map(([message, at, how, by]) => {
  const text = JSON.stringify(message)
  const where = at % text.length
  if (how === 'cut') return text.slice(0, where)
  return how === 'double' ? `${text}${text.slice(where)}` : `${text.slice(0, where)}${by}${text.slice(where + 1)}`
})

const deep = fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.constantFrom('[', '{"a":')).map(([levels, open]) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"note","arguments":{"text":${open.repeat(levels)}1${(open === '[' ? ']' : '}').repeat(levels)}}}}`)

const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => all.filter((byte) => byte !== 0x0a))

/** One line without its end. */
export const hostileLine: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 5, arbitrary: mutated.map((text) => Buffer.from(text.replaceAll('\n', ' '))) },
  { weight: 3, arbitrary: torn.map((text) => Buffer.from(text.replaceAll('\n', ' '))) },
  { weight: 2, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: bytes },
  { weight: 1, arbitrary: deep.map((text) => Buffer.from(text)) },
)

/** How many frames must answer a line, at least and at most. Two readers may differ on a malformed notification. */
export function answersTo(line: Uint8Array): { readonly least: number; readonly most: number; readonly blank: boolean } {
  const text = Buffer.from(line).toString('utf8').replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  if (text === '') return { least: 0, most: 0, blank: true }
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return { least: 1, most: 1, blank: false }
  }
  if (message === null || typeof message !== 'object' || Array.isArray(message)) return { least: 1, most: 1, blank: false }
  const own = (name: string): boolean => Object.hasOwn(message, name)
  const isNotification = own('method') && !own('id')
  const isResponse = !own('method') && own('id') && own('result') !== own('error')
  return { least: isNotification || isResponse ? 0 : 1, most: 1, blank: false }
}
