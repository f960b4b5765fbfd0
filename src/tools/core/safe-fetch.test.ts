import { expect, it } from 'vitest'
import { testApp } from '../../testing/index.ts'

const web = { 'https://example.com/': 'hello' }

it('returns status, type and the body as data', async () => {
  const { call } = testApp({ web })
  expect(await call('safe_fetch', { url: 'https://example.com/' })).toMatchObject({
    is: 'ok', answer: { value: { status: 200, content_type: 'text/plain', body: expect.stringMatching(/^<<data .*>>\nhello\n<<end .*>>$/) } },
  })
})

it('is authorised by the URL that it names', async () => {
  const grants = { grants: [{ subject: '*', actions: ['fetch'], kinds: ['url'], prefix: 'https://example.com' }] }
  const { call } = testApp({ web, settings: { authzPolicy: JSON.stringify(grants) } })
  expect(await call('safe_fetch', { url: 'https://example.com/' })).toMatchObject({ is: 'ok' })
  expect(await call('safe_fetch', { url: 'https://example.com.evil.test/' })).toMatchObject({ refusal: { code: 'access.denied' } })
})
