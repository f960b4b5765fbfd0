import { afterEach, describe, expect, it } from 'vitest'
import type { ChatRequest, ChatTurn } from '../../kernel/ports/chat.ts'
import { event, json, modelsOver, openaiPiece, provider, streamed } from './provider.fixture.ts'
import type { Play, Provider } from './provider.fixture.ts'
import { PROTOCOLS } from './index.ts'

let server: Provider | undefined
afterEach(() => server?.close())

const TOOL = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { what: { type: 'string' } } } }
const HISTORY: ChatRequest['messages'] = [
  { role: 'user', content: 'look' },
  { role: 'assistant', content: '', call: { id: 'c1', name: 'look', args: '{"what":"a"}' } },
  { role: 'tool', id: 'c1', name: 'look', content: 'seen a' },
]

async function chat(protocol: keyof typeof PROTOCOLS, play: Play, more: Partial<ChatRequest> = {}, options = {}): Promise<ChatTurn> {
  server = await provider(play)
  const { models } = modelsOver(server, { protocol: PROTOCOLS[protocol], ...options })
  return models.chat({ system: 'Be brief.', messages: HISTORY, tools: [TOOL], signal: new AbortController().signal, ...more })
}

const sse = (...pieces: readonly string[]): Play => streamed('text/event-stream', ...pieces)
const delta = (tool_calls: unknown): string => event({ choices: [{ delta: { tool_calls } }] })

describe('chat completions', () => {
  it('are asked with tools, and a call is put together from its pieces', async () => {
    const turn = await chat('openai', sse(
      delta([{ index: 0, id: 'call_9', type: 'function', function: { name: 'look', arguments: '' } }]), delta([{ index: 0, function: { arguments: '{"wh' } }]),
      delta([{ index: 1, id: 'call_10', function: { name: 'remove', arguments: '{}' } }]), delta([{ index: 0, function: { arguments: 'at":"b"}' } }]),
      event({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] }), event('[DONE]'),
    ))
    expect(turn).toMatchObject({ text: '', isCut: false, lacksTools: false, calls: [{ id: 'call_9', name: 'look', args: '{"what":"b"}' }, { id: 'call_10', name: 'remove', args: '{}' }] })
    expect(server?.posted[0]?.body).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: TOOL.parameters } }],
      messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"what":"a"}' } }] }, { role: 'tool', tool_call_id: 'c1', content: 'seen a' }],
    })
  })

  it('are read from a whole answer', async () => {
    expect(await chat('openai', json(200, { choices: [{ message: { content: null, tool_calls: [{ id: 'x', function: { name: 'look', arguments: '{}' } }] }, finish_reason: 'tool_calls' }] }))).toMatchObject({ calls: [{ id: 'x', name: 'look', args: '{}' }] })
  })

  it('keep the name of a call whose further pieces have an empty one, and its id', async () => {
    const turn = await chat('openai', sse(
      delta([{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }]), delta([{ index: 0, id: '', function: { name: '', arguments: '{"what":' } }]),
      delta([{ index: 0, id: 'new', function: { name: null, arguments: '"b"}' } }]), event('[DONE]'),
    ))
    expect(turn.calls).toEqual([{ id: 'a', name: 'look', args: '{"what":"b"}' }])
  })

  it.each([['the same number', { index: 0 }], ['no number', {}]])('are told apart where each has %s', async (_what, place) => {
    const turn = await chat('openai', sse(
      delta([{ ...place, id: 'a', function: { name: 'look', arguments: '{"what":"b"}' } }]), delta([{ ...place, id: 'b', function: { name: 'look', arguments: '{"what":"c"}' } }]), event('[DONE]'),
    ))
    expect(turn.calls).toEqual([{ id: 'a', name: 'look', args: '{"what":"b"}' }, { id: 'b', name: 'look', args: '{"what":"c"}' }])
  })

  it('beyond the eighth add nothing to those before', async () => {
    const all = Array.from({ length: 9 }, (_, at) => delta([{ index: 0, id: `c${at}`, function: { name: 'look', arguments: '{}' } }]))
    const { calls } = await chat('openai', sse(...all, delta([{ index: 0, function: { arguments: '{"what":"x"}' } }]), event('[DONE]')))
    expect(calls.map(({ id, args }) => [id, args])).toEqual(Array.from({ length: 8 }, (_, at) => [`c${at}`, '{}']))
  })

  it('keep arguments that come as an object, and never run without them', async () => {
    expect(await chat('openai', json(200, { choices: [{ message: { content: null, tool_calls: [{ id: 'x', function: { name: 'look', arguments: { what: 'b' } } }] } }] }))).toMatchObject({ calls: [{ args: '{"what":"b"}' }] })
    await server?.close()
    expect(await chat('openai', sse(delta([{ index: 0, id: 'x', function: { name: 'look', arguments: [1] } }]), event('[DONE]')))).toMatchObject({ calls: [{ args: '[1]' }] })
  })

  it('are heard piece by piece', async () => {
    const heard: string[] = []
    await chat('openai', sse(openaiPiece('Good '), openaiPiece('day.'), event('[DONE]')), { onText: (piece) => heard.push(piece) })
    expect(heard).toEqual(['Good ', 'day.'])
  })

  it('that end in the middle of a call are cut, so that half of one does not run', async () => {
    expect(await chat('openai', sse(delta([{ index: 0, id: 'a', function: { name: 'look', arguments: '{"what":"x"}' } }])))).toMatchObject({ isCut: true })
    await server?.close()
    expect(await chat('openai', sse(delta([{ index: 0, id: 'a', function: { name: 'look', arguments: '{' } }]), event({ choices: [{ delta: {}, finish_reason: 'length' }] }), event('[DONE]')))).toMatchObject({ isCut: true })
  })

  it('that a filter ended are cut, so that nothing runs of what it let through', async () => {
    expect(await chat('openai', sse(delta([{ index: 0, id: 'a', function: { name: 'look', arguments: '{"what":"x"}' } }]), event({ choices: [{ delta: {}, finish_reason: 'content_filter' }] }), event('[DONE]')))).toMatchObject({ isCut: true })
    await server?.close()
    expect(await chat('anthropic', json(200, { content: [{ type: 'tool_use', id: 't', name: 'look', input: {} }], stop_reason: 'refusal' }))).toMatchObject({ isCut: true })
  })

  it('whose call never ends are stopped at the bound, and cut', async () => {
    const { calls, isCut } = await chat('openai', sse(...Array.from({ length: 40 }, () => delta([{ index: 0, function: { name: 'look', arguments: 'x'.repeat(100) } }]))))
    expect([isCut, (calls[0]?.args.length ?? 0) <= 1_000]).toEqual([true, true])
  })

  it('of a server that takes no tools say so once, and are asked without them afterwards', async () => {
    server = await provider(json(400, { error: 'does not support tools' }), sse(openaiPiece('{"answer":"x"}'), event('[DONE]')))
    const { models } = modelsOver(server)
    const request = { system: '', messages: [], signal: new AbortController().signal }
    expect(models.speaksTools).toBe(true)
    expect(await models.chat({ ...request, tools: [TOOL] })).toMatchObject({ lacksTools: true, calls: [] })
    expect(models.speaksTools).toBe(false)
    expect(await models.chat(request)).toMatchObject({ text: '{"answer":"x"}' })
  })
})

describe('the Messages API', () => {
  it('is asked with tools, one call at a time, and read from its blocks', async () => {
    const turn = await chat('anthropic', sse(
      event({ type: 'message_start', message: { model: 'claude-x', usage: { input_tokens: 1 } } }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }), event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look.' } }),
      event({ type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} } }),
      event({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"what":' } }), event({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"b"}' } }),
      event({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }), event({ type: 'message_stop' }),
    ))
    expect(turn).toMatchObject({ text: 'I look.', isCut: false, calls: [{ id: 'toolu_1', name: 'look', args: '{"what":"b"}' }] })
    expect(server?.posted[0]?.body).toMatchObject({
      tools: [{ name: 'look', description: 'Looks.', input_schema: TOOL.parameters }], tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      messages: [{ role: 'user', content: 'look' }, { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { what: 'a' } }] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'seen a' }] }],
    })
  })

  it('is read from a whole answer', async () => {
    expect(await chat('anthropic', json(200, { content: [{ type: 'tool_use', id: 't', name: 'look', input: { what: 'b' } }], stop_reason: 'tool_use' }))).toMatchObject({ calls: [{ id: 't', name: 'look', args: '{"what":"b"}' }] })
  })
})

describe('the chat of Ollama', () => {
  const line = (more: object): string => `${JSON.stringify(more)}\n`

  it('is asked with tools and with room for the prompt, and its calls come whole', async () => {
    const turn = await chat('ollama', streamed('application/x-ndjson', line({ message: { content: '', tool_calls: [{ function: { name: 'look', arguments: { what: 'b' } } }] }, done: false }), line({ message: { content: '' }, done: true, done_reason: 'stop' })), {}, { roomTokens: 9_000 })
    expect(turn).toMatchObject({ isCut: false, calls: [{ id: 'call-1', name: 'look', args: '{"what":"b"}' }] })
    expect(server?.posted[0]?.body).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look' } }], options: { num_ctx: 9_000 },
      messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant', tool_calls: [{ function: { name: 'look', arguments: { what: 'a' } } }] }, { role: 'tool', tool_name: 'look', content: 'seen a' }],
    })
  })

  it('may have arguments that come as text', async () => {
    expect(await chat('ollama', streamed('application/x-ndjson', line({ message: { content: '', tool_calls: [{ function: { name: 'look', arguments: '{"what":"b"}' } }] }, done: true })))).toMatchObject({ calls: [{ args: '{"what":"b"}' }] })
  })

  it('is asked for JSON where one decision is wanted', async () => {
    await chat('ollama', streamed('application/x-ndjson', line({ message: { content: '{}' }, done: true })), { tools: [], json: true })
    expect(server?.posted[0]?.body).toMatchObject({ format: 'json' })
    expect(server?.posted[0]?.body).not.toHaveProperty('tools')
  })
})
