/** Messages of both eras as bytes over HTTP, with nothing of a client library between. */

export interface Answered {
  readonly status: number
  readonly session: string | null
  readonly message: { readonly result?: Readonly<Record<string, unknown>>; readonly error?: { readonly message: string; readonly data?: unknown } }
}

const MODERN = '2026-07-28'
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
let ids = 0

const post = (url: string, headers: Readonly<Record<string, string>>, body: object): Promise<Response> => fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) })

const dataOf = (text: string): string => text.startsWith('{') ? text : (text.split('\n').filter((line) => line.startsWith('data: ')).at(-1)?.slice(6) ?? '{}')

async function answered(response: Response): Promise<Answered> {
  const text = await response.text()
  // What is in front may answer itself, and not in JSON.
  const isOurs = text.startsWith('{') || text.includes('data: ')
  return { status: response.status, session: response.headers.get('mcp-session-id'), message: isOurs ? JSON.parse(dataOf(text)) : { error: { message: text.slice(0, 100) } } }
}

/** A call of the sessionless era. */
export const modernCall = async (url: string, name: string, args: object, more: object = {}): Promise<Answered> =>
  answered(await post(url, { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name }, {
    jsonrpc: '2.0', id: ++ids, method: 'tools/call',
    params: {
      name, arguments: args, ...more,
      _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } }, 'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' } },
    },
  }))

/** Opens a session of the handshake era. */
export async function handshake(url: string): Promise<string> {
  const { session } = await answered(await post(url, {}, {
    jsonrpc: '2.0', id: ++ids, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'test', version: '1' } },
  }))
  if (session === null) throw new Error('no session was opened')
  return session
}

const legacyHeaders = (session: string) => ({ 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' })

/** A call of the handshake era. `ask` hears of questions and answers them. */
export async function legacyCall(url: string, session: string, call: { readonly name: string; readonly args: object; readonly ask?: (question: { readonly id: string }) => Promise<unknown> }): Promise<Answered> {
  const response = await post(url, legacyHeaders(session), { jsonrpc: '2.0', id: ++ids, method: 'tools/call', params: { name: call.name, arguments: call.args } })
  if (call.ask === undefined || response.body === null || response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return answered(response)
  let [text, last] = ['', '{}']
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      last = dataOf(text.slice(0, end))
      text = text.slice(end + 2)
      const message = JSON.parse(last) as { readonly id: string; readonly method?: string }
      if (message.method === 'elicitation/create') void call.ask(message)
    }
  }
  return { status: response.status, session: null, message: JSON.parse(last) }
}

/** The answer of a person to a question of the handshake era. */
export const reply = async (url: string, session: string, id: string): Promise<number> =>
  (await post(url, legacyHeaders(session), { jsonrpc: '2.0', id, result: { action: 'accept', content: { approve: true } } })).status
