/** The model that the assistant asks: found by what the settings say, and by name where it cannot be had. */

import { afterEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { systemClock } from '../exits/clock.ts'
import { refusalText } from '../kernel/refusal.ts'
import { json, provider } from '../services/models/provider.fixture.ts'
import type { Play, Provider } from '../services/models/provider.fixture.ts'
import { openChatModel } from './chat-model.ts'

let server: Provider | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const SAYS = json(200, { model: 'first', message: { role: 'assistant', content: 'hello' }, done: true, done_reason: 'stop' })

async function asked(plays: readonly Play[], more: object = {}): Promise<string> {
  server = await provider(...plays)
  const { values } = loadSettings({ file: JSON.stringify({ llmEndpoint: `http://127.0.0.1:${server.port}/api/chat`, ...more }) })
  return openChatModel(values, systemClock)
    .chat({ system: 's', messages: [{ role: 'user', content: 'hi' }], signal: new AbortController().signal })
    .then(({ text }) => text, (error: unknown) => refusalText(error as never))
}

describe('a model of this machine', () => {
  it('is reached at the endpoint that was named, and named by what Ollama has', async () => {
    expect(await asked([json(200, { models: [{ name: 'first' }] }), SAYS])).toBe('hello')
    expect(server?.posted.map(({ path, body }) => [path, body['model']])).toEqual([['/api/tags', undefined], ['/api/chat', 'first']])
  })

  it('is not one that makes vectors', async () => {
    expect(await asked([json(200, { models: [{ name: 'nomic-embed-text:latest' }, { name: 'all-minilm' }, { name: 'own', details: { family: 'nomic-bert' } }, { name: 'first' }] }), SAYS])).toBe('hello')
    expect(server?.posted.at(-1)?.body['model']).toBe('first')
  })

  it('is found by a request that began to wait beside another one, which was cancelled', async () => {
    server = await provider(() => {}, json(200, { models: [{ name: 'first' }] }), SAYS)
    const { values } = loadSettings({ file: JSON.stringify({ llmEndpoint: `http://127.0.0.1:${server.port}/api/chat` }) })
    const model = openChatModel(values, systemClock)
    const [first, second] = [new AbortController(), new AbortController()]
    const ask = ({ signal }: AbortController) => model.chat({ system: 's', messages: [{ role: 'user', content: 'hi' }], signal })
    const both = Promise.allSettled([ask(first), ask(second)])
    while (server.posted.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    first.abort()
    expect(await both).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: { text: 'hello' } }])
  })

  it('is not looked for where one is named', async () => {
    expect(await asked([SAYS], { llmModel: 'mine' })).toBe('hello')
  })
})

describe('what cannot be had is said with what to do', () => {
  it.each<[string, readonly Play[], object, string]>([
    ['no model was pulled', [json(200, { models: [] })], {}, 'ollama pull'],
    ['the model is not there', [json(404, {})], { llmModel: 'm' }, 'ARROWHEAD_LLM_MODEL'],
    ['the key is wrong', [json(401, {})], { llmModel: 'm' }, 'ARROWHEAD_LLM_API_KEY'],
    ['something else answers', [(response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')], { llmModel: 'm' }, 'ARROWHEAD_LLM_PROVIDER'],
    ['nothing answers', [], { llmModel: 'm', llmEndpoint: 'http://127.0.0.1:9/api/chat' }, 'start the model server'],
    ['nothing answers and none is named', [], { llmEndpoint: 'http://127.0.0.1:9/api/chat' }, 'ollama serve'],
    ['the address is private', [], { llmModel: 'm', llmEndpoint: 'http://10.255.255.1:9/api/chat' }, 'ARROWHEAD_LLM_INTERNAL_HOSTS'],
  ])('%s', async (_what, plays, more, next) => {
    expect(await asked(plays, more)).toContain(next)
  })
})
