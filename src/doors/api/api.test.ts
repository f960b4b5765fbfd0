import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Answer } from '../../kernel/answer.ts'
import { ours, untrusted } from '../../kernel/leaf.ts'
import { fromJsonSchema } from '../../kernel/schema.ts'
import type { JsonSchema } from '../../kernel/schema.ts'
import { defineJsonTool, defineTool } from '../../kernel/tool.ts'
import { answer, choose } from '../../testing/index.ts'
import { apiOver, TOKEN } from './api.fixture.ts'
import type { Api, Said } from './api.fixture.ts'

let api: Api
afterEach(() => api.close())

const open = async (...given: Parameters<typeof apiOver>): Promise<Api> => (api = await apiOver(...given))
const remove = { arguments: { what: 'x' } }
/** It needs a person, and returns more than a prompt has room for. */
const report = defineTool({
  name: 'report', title: 'Report', summary: 'Reports.', scope: 'world:use', level: 'CONFIRM', effect: 'execute',
  idempotent: false, openWorld: false, perMinute: 100, uses: [],
  input: z.strictObject({}),
  output: z.strictObject({ path: ours(z.string()), text: untrusted(z.string()) }),
  examples: [{ title: 'One', input: {} }],
  touches: () => [],
  run: () => ({ path: 'report.md', text: 'long '.repeat(6_000) }),
})
const ticketOf = ({ body }: Said): string => String(body['ticket'])

describe('the API', () => {
  it('answers a message with what the assistant did', async () => {
    const { post, world } = await open([choose('look', { what: 'a' }), answer('Seen.')])
    const { status, body } = await post('/chat', { message: 'look' })
    expect([status, body]).toEqual([200, { status: 'answered', request: expect.any(String), conversation: expect.any(String), answer: 'Seen.', steps: [{ tool: 'look', args: { what: 'a' }, status: 'success' }] }])
    expect(world.done).toEqual(['look a'])
  })

  it('goes on with a conversation by its name', async () => {
    const { post, model } = await open([answer('one'), answer('two')])
    const { body } = await post('/chat', { message: 'first' })
    await post('/chat', { message: 'second', conversation: body['conversation'] })
    expect(model.asked[1]?.messages.map(({ content }) => content)).toContain('first')
  })

  it('streams what happens', async () => {
    const { post } = await open([choose('look'), answer('Seen.')])
    const { text, headers } = await post('/chat', { message: 'look', stream: true })
    expect(headers['content-type']).toBe('text/event-stream')
    expect(text.match(/^event: .*$/gm)).toEqual(['event: step', 'event: result', 'event: text', 'event: end'])
    expect(JSON.parse(/event: end\ndata: (.*)/.exec(text)?.[1] ?? '')).toMatchObject({ status: 'answered', answer: 'Seen.' })
  })

  it('has a fault of ours on record, beside the calls that were made', async () => {
    const { post, rows } = await open([choose('look'), new Error('a defect')])
    expect(await post('/chat', { message: 'x' })).toMatchObject({ status: 500, body: { error: 'internal' } })
    expect(rows.map(({ component, outcome }) => [component, outcome])).toEqual([['look', 'ok'], ['api-chat', 'fault']])
  })

  it('calls one tool, like any other call', async () => {
    const { post, errands } = await open()
    expect(await post('/tools/look/execute', { arguments: { what: 'a' } })).toMatchObject({ status: 200, body: { status: 'success', tool: 'look', result: { text: expect.stringContaining('look of a') } } })
    expect(await post('/tools/look/execute', { arguments: { which: 'a' } })).toMatchObject({ status: 400, body: { status: 'invalid_args' } })
    expect(await post('/tools/nothing/execute', {})).toMatchObject({ status: 404, body: { status: 'unknown_tool', tool: 'unknown' } })
    expect(await post('/tools/wipe/execute', {})).toMatchObject({ status: 403, body: { status: 'denied' } })
    expect(errands().map(({ door, errand }) => [door, errand?.status])).toEqual([['api', 'success'], ['api', 'invalid_args'], ['api', 'unknown_tool'], ['api', 'denied']])
  })

  it('hands over the content blocks of a tool that answers with some', async () => {
    const picture = defineJsonTool({
      name: 'picture', title: 'Picture', summary: 'Draws.', scope: 'world:use', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 100, uses: [],
      input: { type: 'object' }, origin: 'server', examples: [], touches: () => [], run: () => new Answer({}, [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]),
    })
    const { post } = await open([], { world: { options: { tools: [picture] } } })
    expect(await post('/tools/picture/execute', {})).toMatchObject({ status: 200, body: { content: [{ type: 'image', data: 'AAAA' }] } })
  })

  it('remembers, and reads documents, by the tools of those names', async () => {
    const { post } = await open([], { world: { documents: { 'a.md': 'about apples' } } })
    expect(await post('/memory', { namespace: 'prefs', content: 'likes apples' })).toMatchObject({ status: 200, body: { tool: 'memory_store' } })
    expect(await post('/memory/list', { namespace: 'prefs' })).toMatchObject({ status: 200, body: { result: { entries: [{}] } } })
    expect(await post('/documents/search', { query: 'apples' })).toMatchObject({ status: 200, body: { tool: 'doc_search' } })
    expect(await post('/documents/read', { path: 'a.md' })).toMatchObject({ status: 200, body: { tool: 'doc_read' } })
  })

  it('shows the newest rows of the audit', async () => {
    const { send, post } = await open()
    await post('/tools/look/execute', { arguments: { what: 'a' } })
    const { body } = await send('GET', '/logs?limit=1')
    expect(body).toMatchObject({ rows: [{ tool: 'look', status: 'success', level: 'SAFE', confirmed: false, door: 'api', arguments: '{"what":"a"}', motive: 'POST /tools/look/execute' }] })
    for (const query of ['limit=x', 'limit=-1', 'limit=1&limit=2', 'limit=2000', 'all=1']) expect([query, (await send('GET', `/logs?${query}`)).status]).toEqual([query, 400])
  })
})

describe('a call that needs a person', () => {
  it('answers a ticket that shows what will run, and runs exactly that with it, once', async () => {
    const { post, world, errands, model } = await open([choose('remove', { what: 'x' })])
    const asked = await post('/chat', { message: 'remove x' })
    expect(asked).toMatchObject({ status: 202, body: { status: 'confirmation_required', tool: 'remove', arguments: { what: 'x' }, level: 'CONFIRM', shows: expect.stringContaining('"what": "x"') } })
    expect(world.done).toEqual([])
    expect(await post('/confirm', { ticket: ticketOf(asked) })).toMatchObject({ status: 200, body: { status: 'success', request: asked.body['request'] } })
    expect(world.done).toEqual(['remove x'])
    expect(model.left).toBe(0)
    expect(await post('/confirm', { ticket: ticketOf(asked) })).toMatchObject({ status: 400, body: { error: 'consent.ticket' } })
    expect(world.done).toEqual(['remove x'])
    expect(errands().map(({ errand }) => [errand?.status, errand?.confirmed, errand?.request === asked.body['request']])).toEqual([['confirmation_required', false, true], ['success', true, true]])
  })

  it('is heard of by its conversation, once, within the bound of a result, and may be cited there', async () => {
    const { post, model } = await open([choose('report'), answer('So it is [source: report.md], not [source: other.md].')], { world: { options: { tools: [report] } } })
    const asked = await post('/chat', { message: 'report' })
    await Promise.all([post('/confirm', { ticket: ticketOf(asked) }), post('/confirm', { ticket: ticketOf(asked) })])
    expect(await post('/chat', { message: 'so?', conversation: asked.body['conversation'] })).toMatchObject({ body: { answer: 'So it is [source: report.md], not.' } })
    const heard = model.asked[1]?.messages.filter(({ content }) => content.startsWith('Result of report')).map(({ content }) => content) ?? []
    expect(heard).toEqual([expect.stringContaining('waits for the person'), expect.stringMatching(/report\.md.*\[cut: /s)])
    expect(heard[1]?.length).toBeLessThan(16_000)
  })

  it('is declined by the same way, and its ticket is used up', async () => {
    const { post, world } = await open()
    const asked = await post('/tools/remove/execute', remove)
    expect(await post('/confirm', { ticket: ticketOf(asked), approve: false })).toMatchObject({ status: 403, body: { status: 'declined' } })
    expect(await post('/confirm', { ticket: ticketOf(asked) })).toMatchObject({ status: 400 })
    expect(world.done).toEqual([])
  })

  it.each<[string, object]>([
    ['a flag alone', { ...remove, confirm: true }],
    ['a flag among the arguments', { arguments: { what: 'x', confirm: true } }],
    ['a flag that is a text', { ...remove, confirm: 'yes' }],
    ['a number', { ...remove, confirm: 1 }],
    ['a ticket without the flag', { ...remove, ticket: 'TICKET' }],
    ['a made-up ticket', { ...remove, confirm: true, ticket: 'guess' }],
    ['an empty ticket', { ...remove, confirm: true, ticket: '' }],
    ['other arguments', { arguments: { what: 'main' }, confirm: true, ticket: 'TICKET' }],
    ['one argument more', { arguments: { what: 'x', force: true }, confirm: true, ticket: 'TICKET' }],
    ['an argument of another type', { arguments: { what: ['x'] }, confirm: true, ticket: 'TICKET' }],
  ])('does not run with %s', async (_what, body) => {
    const { post, world } = await open()
    const ticket = ticketOf(await post('/tools/remove/execute', remove))
    const { status } = await post('/tools/remove/execute', JSON.parse(JSON.stringify(body).replace('TICKET', ticket)))
    expect([world.done, status >= 400]).toEqual([[], true])
  })

  it('leaves a record of every ticket that no call waits for', async () => {
    const { post, rows } = await open()
    const ticket = ticketOf(await post('/tools/remove/execute', remove))
    const before = rows.length
    for (const approve of [true, false]) expect(await post('/confirm', { ticket: 'guess', approve })).toMatchObject({ status: 400, body: { error: 'consent.ticket' } })
    for (const [tool, given] of [['remove', 'guess'], ['make', ticket]] as const) expect(await post(`/tools/${tool}/execute`, { ...remove, confirm: true, ticket: given })).toMatchObject({ status: 400, body: { error: 'consent.ticket' } })
    expect(rows.slice(before).map(({ kind, component, outcome, code }) => [kind, component, outcome, code])).toEqual(['confirm', 'confirm', 'execute', 'execute'].map((work) => ['http', `api-${work}`, 'refused', 'consent.ticket']))
  })

  it('does not run under the ticket of another tool, nor a too old one', async () => {
    const { post, world, clock } = await open()
    const ticket = ticketOf(await post('/tools/remove/execute', remove))
    expect(await post('/tools/make/execute', { ...remove, confirm: true, ticket })).toMatchObject({ status: 400 })
    clock.pass(301_000)
    expect(await post('/confirm', { ticket })).toMatchObject({ status: 400 })
    expect(world.done).toEqual([])
  })

  it('runs once where its ticket comes twice at the same time', async () => {
    const { post, world } = await open()
    const ticket = ticketOf(await post('/tools/remove/execute', remove))
    const both = await Promise.all([post('/confirm', { ticket }), post('/confirm', { ticket })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(world.done).toEqual(['remove x'])
  })

  it('runs where the same call is posted again with the flag and the ticket', async () => {
    const { post, world } = await open()
    const ticket = ticketOf(await post('/tools/remove/execute', remove))
    expect(await post('/tools/remove/execute', { ...remove, confirm: true, ticket })).toMatchObject({ status: 200 })
    expect(world.done).toEqual(['remove x'])
  })
})

describe('the document of the API', () => {
  it('names every path that is served, and describes each answer as it is', async () => {
    const { send, post } = await open([answer('Hello.')], { world: { documents: { 'a.md': 'apples' } } })
    const { body: document } = await send('GET', '/openapi.json')
    const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, { responses: Readonly<Record<string, { content: { 'application/json': { schema: JsonSchema } } }>>; requestBody?: object }>>>>
    const BODIES: Readonly<Record<string, object>> = {
      '/chat': { message: 'hi' }, '/tools/{name}/execute': {}, '/confirm': { ticket: 'x' }, '/memory': { namespace: 'n', content: 'c' },
      '/memory/list': { namespace: 'n' }, '/memory/search': { namespace: 'n', query: 'c' }, '/memory/delete': { namespace: 'n', id: 'q7c0Zk1yX2v3B4n5' },
      '/documents': { path: 'local/b.md', content: '# b' }, '/documents/read': { path: 'a.md' }, '/documents/search': { query: 'apples' },
      '/documents/retrieve': { query: 'apples' }, '/documents/index': { paths: ['a.md'] },
    }
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const at = path.replace('{name}', 'look')
        const said = method === 'get' ? await send('GET', at) : await post(at, BODIES[path] ?? {})
        const { schema } = (responses[said.status] ?? responses['default'])?.content['application/json'] ?? { schema: {} }
        const kinds = (schema['oneOf'] ?? [schema]) as readonly JsonSchema[]
        expect([path, said.status, kinds.some((kind) => fromJsonSchema(kind).parse(said.body).ok)]).toEqual([path, said.status, true])
      }
    }
    expect(Object.keys(paths).sort()).toEqual([...Object.keys(BODIES), '/health', '/logs', '/openapi.json', '/tools'].sort())
  })

  it('says that whatever is posted needs a body, and that a conversation may be streamed', async () => {
    const { send, post } = await open([answer('Hello.')])
    const { body } = await send('GET', '/openapi.json')
    const posts = Object.entries(body['paths'] as Readonly<Record<string, { post?: { requestBody: { required: boolean }; responses: { 200: { content: object } } } }>>)
    for (const [path, { post: operation }] of posts) {
      if (!operation) continue
      const { status } = await send('POST', path.replace('{name}', 'look'), undefined, { 'content-type': 'application/json' })
      expect([path, status, operation.requestBody.required]).toEqual([path, 400, true])
      const types = Object.keys(operation.responses[200].content)
      expect([path, types.includes('text/event-stream')]).toEqual([path, path === '/chat'])
    }
    expect((await post('/chat', { message: 'hi', stream: true })).headers['content-type']).toBe('text/event-stream')
  })
})

describe('strangers', () => {
  it.each<[string, Readonly<Record<string, string | undefined>>, number]>([
    ['without a token', { authorization: undefined }, 401],
    ['with a wrong one', { authorization: 'Bearer nope' }, 401],
    ['with a longer one', { authorization: `Bearer ${TOKEN}x` }, 401],
    ['with its beginning', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, 401],
    ['with another scheme', { authorization: `Basic ${TOKEN}` }, 401],
    ['with the token in a cookie', { authorization: undefined, cookie: `token=${TOKEN}` }, 401],
    ['under a name that was rebound', { host: 'evil.test' }, 403],
    ['under a name that was rebound, with the port', { host: 'evil.test:8420' }, 403],
    ['without a host', { host: undefined }, 403],
    ['from another site', { origin: 'https://evil.test' }, 403],
    ['from a file', { origin: 'null' }, 403],
    ['from another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['from a page of another site that sends no origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s are refused', async (_what, headers, status) => {
    const { post, world, rows } = await open()
    for (const path of ['/tools/look/execute', '/chat', '/nothing']) expect([path, (await post(path, { message: 'x' }, headers)).status]).toEqual([path, status])
    expect(world.done).toEqual([])
    expect(rows.every(({ door, outcome }) => door === 'api' && outcome === 'refused')).toBe(true)
  })

  it('find only the health', async () => {
    const { send } = await open()
    const as = { authorization: undefined }
    expect(await send('GET', '/health', undefined, as)).toMatchObject({ status: 200, body: { status: 'ok' } })
    for (const path of ['/openapi.json', '/tools', '/logs', '/', '/health/..']) expect([path, (await send('GET', path, undefined, as)).status]).toEqual([path, 401])
    expect((await send('GET', `/tools?token=${TOKEN}`, undefined, as)).status).toBe(401)
  })

  it('cannot have a browser post a form, nor may a page of theirs read an answer', async () => {
    const { post, send, world } = await open()
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) expect((await post('/tools/look/execute', '{"arguments":{}}', { 'content-type': type })).status).toBe(415)
    const preflight = await send('OPTIONS', '/chat', undefined, { origin: 'https://evil.test', 'access-control-request-method': 'POST' })
    expect([preflight.status, Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))]).toEqual([403, []])
    expect(world.done).toEqual([])
  })

  it('are served without a token only where the operator spelled it', async () => {
    const { send } = await open([], { world: { settings: { dangerouslyApiWithoutToken: true } } }, { token: undefined })
    expect((await send('GET', '/tools', undefined, { authorization: undefined })).status).toBe(200)
    expect((await send('GET', '/tools', undefined, { authorization: undefined, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    await expect(apiOver([], {}, { token: undefined })).rejects.toThrow('not allowed')
  })
})

describe('what arrives', () => {
  it.each<[string, string, number]>([
    ['no JSON', '{"message":', 400], ['a list', '[]', 400], ['a member twice', '{"message":"a","message":"b"}', 400], ['twins', '{"message":"a","Message":"b"}', 400],
    ['a member that is not known', '{"message":"a","admin":true}', 400], ['a value of another type', '{"message":1}', 400], ['nothing', '{}', 400],
    ['nesting without end', `{"message":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 400],
  ])('with %s is refused and not echoed', async (_what, text, status) => {
    const { post, model } = await open()
    const said = await post('/chat', text)
    expect([said.status, said.text.includes('admin'), model.asked.length]).toEqual([status, false, 0])
  })

  it('must be small, in its body and in its headers', async () => {
    const { post } = await open([], { world: { settings: { httpMaxBodyBytes: 10_000 } } })
    expect((await post('/chat', { message: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await post('/chat', { message: 'x' }, { 'x-large': 'x'.repeat(20_000) })).status).toBe(431)
  })

  it('must be whole in time: a body that drips in ends with 408 and nothing is done', async () => {
    const { raw, port, model } = await open([], { world: { settings: { httpHeaderTimeoutSeconds: 0.2, httpRequestTimeoutSeconds: 0.3 } } })
    const head = `POST /chat HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"mess`
    expect(await raw(head)).toMatch(/^HTTP\/1\.1 408 /)
    expect(await raw('POST /chat HTTP/1.1\r\nhost: x\r\n')).toMatch(/^HTTP\/1\.1 408 /)
    expect(model.asked).toEqual([])
  })
})
