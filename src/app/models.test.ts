import { afterEach, describe, expect, it } from 'vitest'
import { json, KEY, provider } from '../services/models/provider.fixture.ts'
import type { Provider } from '../services/models/provider.fixture.ts'
import { testApp } from '../testing/index.ts'

let server: Provider | undefined
afterEach(() => server?.close())

const settingsFor = ({ url, port }: Provider) => ({ llmProvider: 'openai', llmEndpoint: url, llmApiKey: KEY, llmInternalHosts: [`127.0.0.1:${port}`], rateLimitEnabled: false })
const says = (content: string) => json(200, { choices: [{ message: { content }, finish_reason: 'stop' }] })
const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\u200b\n'

describe('the language model of the settings', () => {
  it('is asked at the endpoint that was named, and what was named may be on this machine', async () => {
    server = await provider(says('[1,0]'))
    const { call } = testApp({ settings: settingsFor(server) })
    expect(await call('rerank', { query: 'b', candidates: ['b', 'a'] })).toMatchObject({ answer: { value: { order: [1, 0], model_answered: true } } })
    expect(server.posted[0]).toMatchObject({ headers: { authorization: `Bearer ${KEY}` } })
  })

  it('is not asked on this machine where nothing was named', async () => {
    server = await provider(says('[1,0]'))
    const { call } = testApp({ settings: { ...settingsFor(server), llmInternalHosts: [] } })
    expect(await call('rerank', { query: 'b', candidates: ['b', 'a'] })).toMatchObject({ answer: { value: { order: [0, 1], model_answered: false } } })
    expect(server.posted).toEqual([])
  })

  it('is shown text from outside clean and in a fence that the text cannot know', async () => {
    server = await provider(says('fine'))
    await testApp({ settings: settingsFor(server) }).call('summarize_diff', { diff })
    const [, user] = (server.posted[0]?.body['messages'] ?? []) as readonly { readonly content: string }[]
    expect(user?.content).toMatch(/^Summarise the change\.\n<<data ([\w-]{16})>>\n--- a\/x\n\+\+\+ b\/x\n@@ -1 \+1 @@\n-a\n\+b\n<<end \1>>$/)
  })

  it('cannot tell the caller the key that it was sent, in no spelling', async () => {
    server = await provider(says(`key ${KEY} ${Buffer.from(KEY).toString('base64')} ${KEY.split('').join('\u200b')}`))
    const outcome = await testApp({ settings: settingsFor(server) }).call('summarize_diff', { diff })
    expect(outcome).toMatchObject({ is: 'ok' })
    expect(JSON.stringify(outcome)).not.toContain(KEY)
    expect(JSON.stringify(outcome)).toContain('key [redacted]')
  })

  it('leaves the key and its own words out of a failure, the log and the audit', async () => {
    server = await provider(json(401, { error: `canary ${KEY}` }))
    const { call, rows, lines } = testApp({ settings: settingsFor(server) })
    const outcome = await call('summarize_diff', { diff })
    expect(outcome).toMatchObject({ is: 'refused', refusal: { code: 'model.failed', reason: 'status 401' } })
    expect(JSON.stringify([outcome, rows, lines])).not.toMatch(new RegExp(`canary|${KEY}`))
  })
})
