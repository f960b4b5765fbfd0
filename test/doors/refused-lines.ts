/** Messages that must not run, each with the refusal that answers it at every door that reads JSON-RPC. */

const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'note', arguments: { text: 'PRIVATE' } } }
const nested = (levels: number): string => `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}`
const text = (message: object): string => JSON.stringify(message)

/** Each line that must not run, the refusal, and the id that the answer carries. What is PRIVATE is never repeated. */
export const REFUSED: readonly (readonly [title: string, line: string, code: string, id: number | null])[] = [
  ['no JSON', 'not json PRIVATE', 'message.not-json', null],
  ['half a message', '{"jsonrpc":"2.0","id":7,', 'message.not-json', null],
  ['a control character in a string', '{"jsonrpc":"2.0","id":7,"method":"a\tb"}', 'message.not-json', null],
  ['an empty batch', '[]', 'message.batch', null],
  ['a batch of calls', `[${text(CALL)},${text({ ...CALL, id: 8 })}]`, 'message.batch', null],
  ['a bare value', '5', 'message.invalid', null],
  ['null', 'null', 'message.invalid', null],
  ['no version', text({ id: 7, method: 'ping' }), 'message.invalid', 7],
  ['another version', text({ ...CALL, jsonrpc: '1.0' }), 'message.invalid', 7],
  ['id null', text({ ...CALL, id: null }), 'message.invalid', null],
  ['an id that is an object', text({ ...CALL, id: {} }), 'message.invalid', null],
  ['a fraction as id', text({ ...CALL, id: 1.5 }), 'message.invalid', null],
  ['an id beyond exact numbers', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', 'message.invalid', null],
  ['an id of endless length', text({ ...CALL, id: 'PRIVATE'.repeat(500) }), 'message.invalid', null],
  ['neither method nor answer', '{"jsonrpc":"2.0","id":7}', 'message.invalid', 7],
  ['a method that is a number', text({ ...CALL, method: 5 }), 'message.invalid', 7],
  ['a method and an answer at once', text({ ...CALL, result: {} }), 'message.invalid', 7],
  ['result and error at once', text({ jsonrpc: '2.0', id: 7, result: {}, error: { code: 1, message: 'x' } }), 'message.invalid', 7],
  ['params in a list', text({ ...CALL, params: ['PRIVATE'] }), 'message.invalid', 7],
  ['params null', text({ ...CALL, params: null }), 'message.invalid', 7],
  ['a member that JSON-RPC does not have', text({ ...CALL, PRIVATE: 1 }), 'message.invalid', 7],
  ['_meta that is no object', text({ ...CALL, params: { ...CALL.params, _meta: 5 } }), 'message.invalid', 7],
  ['a progress token that is an object', text({ ...CALL, params: { ...CALL.params, _meta: { progressToken: {} } } }), 'message.invalid', 7],
  ['a progress token that is a fraction', text({ ...CALL, params: { ...CALL.params, _meta: { progressToken: 0.5 } } }), 'message.invalid', 7],
  ['a related task without its id', text({ ...CALL, params: { ...CALL.params, _meta: { 'io.modelcontextprotocol/related-task': {} } } }), 'message.invalid', 7],
  ['the same key twice', '{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/list"}', 'message.duplicate-key', 7],
  ['the same argument twice', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note","arguments":{"text":"a","text":"b"}}}', 'message.duplicate-key', 7],
  ['the same key twice, once escaped', '{"jsonrpc":"2.0","id":7,"method":"ping","\\u006dethod":"tools/list"}', 'message.duplicate-key', 7],
  ['case twins of a member', '{"jsonrpc":"2.0","id":7,"method":"ping","Method":"tools/list"}', 'message.invalid', 7],
  ['case twins of a parameter', text({ ...CALL, params: { ...CALL.params, Name: 'calculate' } }), 'message.invalid', 7],
  ['case twins of an argument', text({ ...CALL, params: { name: 'note', arguments: { text: 'a', TEXT: 'b' } } }), 'message.invalid', 7],
  ['nesting without end', nested(5_000), 'message.invalid', null],
  ['a tool name that is a number', text({ ...CALL, params: { name: 5 } }), 'input.invalid', 7],
  ['arguments in a list', text({ ...CALL, params: { name: 'note', arguments: [] } }), 'input.invalid', 7],
  ['a completion of nothing', text({ ...CALL, method: 'completion/complete', params: { ref: { type: 'PRIVATE' } } }), 'input.invalid', 7],
  ['an unknown method', text({ ...CALL, method: 'tools/PRIVATE' }), 'message.method', 7],
  ['an inherited name as method', text({ ...CALL, method: 'constructor' }), 'message.method', 7],
]
