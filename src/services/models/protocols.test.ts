import { afterEach, describe, expect, it } from 'vitest'
import { ask, event, json, KEY, modelsOver, openaiPiece, provider, streamed } from './provider.fixture.ts'
import type { Play, Provider } from './provider.fixture.ts'
import { PROTOCOLS } from './index.ts'

let server: Provider | undefined
afterEach(() => server?.close())

const asked = async (protocol: keyof typeof PROTOCOLS, play: Play, more = {}) => {
  server = await provider(play)
  return ask(modelsOver(server, { protocol: PROTOCOLS[protocol], ...more }).models)
}

describe('the Messages API', () => {
  const stream = [
    `event: message_start\n${event({ type: 'message_start', message: { model: 'claude-x', usage: { input_tokens: 12, output_tokens: 1 } } })}`,
    `event: ping\n${event({ type: 'ping' })}`,
    event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hidden thought' } }),
    event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Good ' } }),
    event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'day.' } }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }),
    event({ type: 'message_stop' }),
  ]

  it('is read from its stream, thoughts left out', async () => {
    expect(await asked('anthropic', streamed('text/event-stream; charset=utf-8', ...stream))).toEqual({ text: 'Good day.', model: 'claude-x', tokens: { sent: 12, received: 5 }, isCut: false })
  })

  it('is read from a whole answer', async () => {
    const body = { type: 'message', model: 'claude-x', content: [{ type: 'text', text: 'Good ' }, { type: 'tool_use', input: {} }, { type: 'text', text: 'day.' }], stop_reason: 'max_tokens', usage: { input_tokens: 1, output_tokens: 2 } }
    expect(await asked('anthropic', json(200, body))).toEqual({ text: 'Good day.', model: 'claude-x', tokens: { sent: 1, received: 2 }, isCut: true })
  })

  it('is posted with the version and the key in its own header', async () => {
    await asked('anthropic', streamed('text/event-stream', ...stream))
    expect(server?.posted).toEqual([{
      method: 'POST', path: '/v1/messages',
      headers: expect.objectContaining({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }),
      body: { model: 'm-1', max_tokens: 50, system: 'Be brief.', messages: [{ role: 'user', content: 'Hello?' }], stream: true },
    }])
    expect(server?.posted[0]?.headers).not.toHaveProperty('authorization')
  })
})

describe('chat completions', () => {
  const stream = [
    ': a comment\n\n', event({ model: 'm-1-0613', choices: [{ delta: { role: 'assistant', content: null, reasoning_content: 'hidden' } }] }), openaiPiece('Good '), openaiPiece('day.'),
    event({ choices: [{ delta: {}, finish_reason: 'stop' }] }), event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } }), event('[DONE]'),
  ]

  it('are read from their stream', async () => {
    expect(await asked('openai', streamed('text/event-stream', ...stream))).toEqual({ text: 'Good day.', model: 'm-1-0613', tokens: { sent: 9, received: 3 }, isCut: false })
  })

  it('are read from a stream that is cut into single bytes and uses every line ending that is in use', async () => {
    const bytes = Buffer.from(stream.join('').replaceAll('day.', 'Tag – 日.').replaceAll('\n', '\r\n'))
    const play: Play = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const byte of bytes) response.write(Buffer.from([byte]))
      response.end()
    }
    expect(await asked('openai', play)).toMatchObject({ text: 'Good Tag – 日.', isCut: false })
  })

  it('are read from a whole answer', async () => {
    const body = { model: 'local', choices: [{ message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'length' }], usage: { prompt_tokens: 9, completion_tokens: 3 } }
    expect(await asked('openai', json(200, body))).toEqual({ text: 'Good day.', model: 'local', tokens: { sent: 9, received: 3 }, isCut: true })
  })

  it('are posted to exactly the endpoint, with the key as a bearer token', async () => {
    await asked('openai', streamed('text/event-stream', ...stream))
    expect(server?.posted[0]).toMatchObject({
      path: '/v1/messages', headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'm-1', max_tokens: 50, messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Hello?' }], stream: true },
    })
  })

  it('name no model and send no key where there is none', async () => {
    await asked('openai', streamed('text/event-stream', ...stream), { model: undefined, key: undefined })
    expect(server?.posted[0]?.headers).not.toHaveProperty('authorization')
    expect(server?.posted[0]?.body).not.toHaveProperty('model')
  })

  it('ask the public host by its newer name of the limit', () => {
    const prompt = { model: 'm', system: '', messages: [], maxTokens: 7 }
    expect(PROTOCOLS.openai.body({ ...prompt, host: 'api.openai.com' })).toMatchObject({ max_completion_tokens: 7 })
    expect(PROTOCOLS.openai.body({ ...prompt, host: 'localhost' })).toMatchObject({ max_tokens: 7 })
  })

  it('are cut, and say so, when the stream ends before its end', async () => {
    expect(await asked('openai', streamed('text/event-stream', openaiPiece('Good')))).toMatchObject({ text: 'Good', isCut: true })
  })
})

describe('the chat of Ollama', () => {
  const line = (more: object): string => `${JSON.stringify({ model: 'llama', ...more })}\n`

  it('is read from its lines', async () => {
    const lines = [line({ message: { role: 'assistant', content: 'Good ' }, done: false }), line({ message: { content: 'day.' }, done: false }), line({ message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 4, eval_count: 6 })]
    expect(await asked('ollama', streamed('application/x-ndjson', ...lines))).toEqual({ text: 'Good day.', model: 'llama', tokens: { sent: 4, received: 6 }, isCut: false })
    expect(server?.posted[0]?.body).toMatchObject({ model: 'm-1', options: { num_predict: 50 }, stream: true })
  })

  it('is read from a whole answer, and from a last line without an end', async () => {
    expect(await asked('ollama', json(200, { model: 'llama', message: { content: 'Good day.' }, done: true, done_reason: 'length' }))).toMatchObject({ text: 'Good day.', isCut: true })
    await server?.close()
    expect(await asked('ollama', streamed('application/x-ndjson', line({ message: { content: 'Good day.' }, done: true }).trimEnd()))).toMatchObject({ text: 'Good day.', isCut: false })
  })
})
