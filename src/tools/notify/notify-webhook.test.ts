import { expect, it } from 'vitest'
import { ConfigError } from '../../config/index.ts'
import type { Fields } from '../../kernel/schema.ts'
import { testApp } from '../../testing/index.ts'

const URL_IN = 'https://hooks.example.com/in/x'
const CALL = { url: URL_IN, payload: { text: 'done' } }
const listed = { notifyAllowlist: ['https://hooks.example.com/in/'] }
const granting = (prefix: string, actions = ['notify']) => JSON.stringify({ grants: [{ subject: 'alice', actions, kinds: ['url'], prefix }] })

const world = (settings: object, web: Readonly<Record<string, string>> = { [URL_IN]: 'thanks\u200b' }) => {
  const app = testApp({ web, settings })
  return (args: object, scopes = ['notify:send']) => app.call('notify_webhook', args, app.app.callerOf('alice', scopes))
}

it('sends and returns the answer cleaned and fenced, and asks nobody', async () => {
  const send = world({ ...listed, authzPolicy: granting('https://hooks.example.com/in') })
  expect(await send(CALL)).toMatchObject({ is: 'ok', answer: { value: { status: 200, truncated: false, response: expect.stringMatching(/^<<data .*>>\nthanks\n<<end .*>>$/) } } })
})

it('is unknown where no destination is listed', async () => {
  for (const settings of [{}, { notifyAllowlist: [] }]) expect(await world({ ...settings, authzPolicy: granting('') })(CALL)).toMatchObject({ refusal: { code: 'component.unknown' } })
})

it('is denied without a grant of its own, whatever else is granted', async () => {
  expect(await world({ ...listed, authEnabled: false })(CALL)).toMatchObject({ refusal: { code: 'access.denied' } })
  expect(await world({ ...listed, authzPolicy: granting('', ['fetch', 'read', 'write']) })(CALL)).toMatchObject({ refusal: { code: 'access.denied' } })
})

it('keeps a grant to its folder, however the URL is written', async () => {
  const send = world({ ...listed, authzPolicy: granting('https://hooks.example.com/in/team') })
  for (const path of ['other', 'team/../other', 'team/%2e%2e/other']) expect(await send({ ...CALL, url: `https://hooks.example.com/in/${path}` })).toMatchObject({ refusal: { code: 'access.denied' } })
})

it.each(['*', 'https://*', 'https://user@hooks.example.com/', 'https://hooks.example.com/in/?x=1', 'https://hooks.example.com/in/../', 'https://*.10.0.0.1/', 'ftp://hooks.example.com/', 'hooks.example.com'])(
  'stops the start for the entry %j', (entry) => {
    expect(() => world({ notifyAllowlist: ['https://one.example/', entry] })).toThrow(ConfigError)
  })

it.each([{ url: URL_IN }, { ...CALL, payload: 'text' }, { ...CALL, payload: [] }, { ...CALL, headers: {} }, { ...CALL, method: 'PUT' }])('refuses %j', async (args: Fields) => {
  expect(await world({ ...listed, authzPolicy: granting('') })(args)).toMatchObject({ refusal: { code: 'input.invalid' } })
})
