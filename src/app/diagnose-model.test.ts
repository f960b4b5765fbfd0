import { afterEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { answering } from './answering.fixture.ts'
import type { Answer, Answering } from './answering.fixture.ts'
import { diagnoseEmbedding, diagnoseModel } from './diagnose-model.ts'

let server: Answering | undefined
afterEach(() => server?.close())

const settings = (more: object): Settings => loadSettings({ file: JSON.stringify(more) }).values
/** A server that answers one path, and nothing else. */
const at = async (path: string, answer: Answer): Promise<Answering> => (server = await answering(({ url }) => (url === path ? answer : undefined)))
const TAGS = { body: '{"models":[{"name":"llama3.2:latest"}]}' }

describe('what doctor says of the model', () => {
  it.each([['llama3.2:latest', 'ok'], ['llama3.2', 'ok'], ['gemma', 'fail'], [undefined, 'ok']])('of Ollama that is named %s is %s', async (llmModel, state) => {
    const { url } = await at('/api/tags', TAGS)
    expect(await diagnoseModel(settings({ llmProvider: 'ollama', llmEndpoint: `${url}/api/chat`, llmModel }))).toMatchObject({ state })
  })

  it('names one that is there without what acts on a terminal', async () => {
    const { url } = await at('/api/tags', { body: '{"models":[{"name":"a\\u009b2J\\u202e"}]}' })
    for (const llmModel of ['gemma', undefined]) {
      const { what, next = '' } = await diagnoseModel(settings({ llmProvider: 'ollama', llmEndpoint: `${url}/api/chat`, llmModel }))
      expect(what + next).toContain('u{9b}')
      expect(what + next).not.toMatch(/\p{C}/u)
    }
  })

  it('names one that is there', async () => {
    const { url } = await at('/api/tags', TAGS)
    expect(await diagnoseModel(settings({ llmProvider: 'ollama', llmEndpoint: `${url}/api/chat`, llmModel: 'gemma' }))).toMatchObject({ next: expect.stringContaining('llama3.2') })
  })

  it.each<[string, Answer, string, string]>([
    ['that is there', { body: '{"data":[{"id":"small"}]}' }, 'ok', 'small'],
    ['that is not', { body: '{"data":[]}' }, 'fail', 'does not have'],
    ['whose key is wrong', { status: 401 }, 'fail', 'ARROWHEAD_LLM_API_KEY'],
    ['of a server that lists none', { status: 404 }, 'warn', 'lists no models'],
    ['of a server that lists nonsense', { body: '<html>' }, 'warn', 'lists no models'],
  ])('of a compatible endpoint %s', async (_, answer, state, what) => {
    const { url } = await at('/v1/models', answer)
    expect(await diagnoseModel(settings({ llmProvider: 'openai', llmEndpoint: `${url}/v1/chat/completions`, llmModel: 'small', llmApiKey: 'key' }))).toMatchObject({ state, what: expect.stringContaining(what) })
  })

  it('that nobody serves is a failure, and without one that is named it is a remark', async () => {
    const { url, close } = await at('/', {})
    close()
    expect(await diagnoseModel(settings({ llmProvider: 'ollama', llmEndpoint: `${url}/api/chat` }))).toMatchObject({ state: 'fail', next: expect.stringContaining('start the model server') })
    expect(await diagnoseModel(settings({ llmEndpoint: `${url}/api/chat` }))).toMatchObject({ state: 'ok', next: expect.stringContaining('ollama pull') })
  })
})

describe('what doctor says of vectors', () => {
  it('is that they are made in this process', async () => {
    expect(await diagnoseEmbedding(settings({}))).toMatchObject({ state: 'ok' })
  })

  it.each<[string, Answer, string]>([
    ['the right size', { body: JSON.stringify({ data: [{ index: 0, embedding: Array.from({ length: 64 }, () => 1) }] }), headers: { 'content-type': 'application/json' } }, 'ok'],
    ['another size', { body: JSON.stringify({ data: [{ index: 0, embedding: [1, 2] }] }), headers: { 'content-type': 'application/json' } }, 'fail'],
    ['none', { status: 400 }, 'fail'],
  ])('is that the endpoint makes ones of %s', async (_, answer, state) => {
    const { url, host } = await at('/v1/embeddings', answer)
    expect(await diagnoseEmbedding(settings({ embeddingProvider: 'http', embeddingEndpoint: `${url}/v1/embeddings`, embeddingModel: 'm', embeddingDimensions: 64, internalEndpoints: [host] }))).toMatchObject({ state })
  })
})
