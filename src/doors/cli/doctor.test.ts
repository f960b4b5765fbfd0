import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answering } from '../../app/answering.fixture.ts'
import type { Answering } from '../../app/answering.fixture.ts'
import type { Checked } from '../../app/diagnose.ts'
import { doctor } from './doctor.ts'

const KEY = 'key-of-the-person'
const OAUTH = { SERVER_PUBLIC_URL: 'https://127.0.0.1:1', OAUTH_ISSUER: 'https://127.0.0.1:1', OAUTH_AUDIENCE: 'https://127.0.0.1:1', OAUTH_JWKS_URI: 'https://127.0.0.1:1/jwks' }

let folder: string
let server: Answering
let models: string
let heard: string[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-doctor-'))
  mkdirSync(join(folder, 'home'))
  models = '{"data":[{"id":"small"}]}'
  heard = []
  server = await answering(({ headers: { authorization } }) => {
    // The clock is asked of a bucket without a key.
    if (authorization !== undefined) heard.push(authorization)
    return { body: models, headers: { 'content-type': 'application/json' } }
  })
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Given {
  readonly dotenv?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, unknown>>
}

/** What is printed with these variables, and how it ends. */
async function printed({ dotenv = {}, env = {}, options = {} }: Given): Promise<string> {
  writeFileSync(join(folder, '.env'), Object.entries(dotenv).map(([name, value]) => `ARROWHEAD_${name}=${value}\n`).join(''))
  let text = ''
  const stdout = new PassThrough().on('data', (chunk: Buffer) => void (text += String(chunk)))
  await doctor({
    stdin: new PassThrough(), stdout, stderr: new PassThrough(), cwd: folder, home: join(folder, 'home'), platform: 'linux', stop: new AbortController().signal, parent: () => 1,
    env: Object.fromEntries(Object.entries({ DATA_DIR: join(folder, 'data'), ...env }).map(([name, value]) => [`ARROWHEAD_${name}`, value])),
  }, options)
  return text
}

async function found(check: string, given: Given): Promise<Checked | undefined> {
  const { checks } = JSON.parse(await printed({ ...given, options: { ...given.options, json: true } })) as { readonly checks: readonly Checked[] }
  return checks.find((one) => one.check === check)
}

describe('a .env that names where to go', () => {
  const llm = (): Readonly<Record<string, string>> => ({ LLM_PROVIDER: 'openai', LLM_ENDPOINT: `${server.url}/v1/chat/completions`, LLM_MODEL: 'small' })
  const embedding = (): Readonly<Record<string, string>> => ({ EMBEDDING_PROVIDER: 'http', EMBEDDING_ENDPOINT: `${server.url}/v1/embeddings`, EMBEDDING_MODEL: 'm', INTERNAL_ENDPOINTS: server.host })
  const bucket = (): Readonly<Record<string, string>> => ({ DOCS_S3_URL: `${server.url}/bucket` })
  const bucketKey = { DOCS_S3_ACCESS_KEY_ID: 'id-of-the-person', DOCS_S3_SECRET_ACCESS_KEY: KEY }

  it.each<[string, () => Given]>([
    ['model', () => ({ dotenv: llm(), env: { LLM_API_KEY: KEY } })],
    ['model', () => ({ dotenv: { ...llm(), LLM_API_KEY: 'other' } })],
    ['embedding', () => ({ dotenv: embedding(), env: { EMBEDDING_API_KEY: KEY } })],
    ['bucket', () => ({ dotenv: bucket(), env: bucketKey })],
    ['bucket', () => ({ dotenv: { ...bucket(), DOCS_S3_ACCESS_KEY_ID: 'other' }, env: { DOCS_S3_SECRET_ACCESS_KEY: KEY } })],
  ])('hears no key of the %s', async (check, given) => {
    const finding = await found(check, given())
    expect(heard).toEqual([])
    if (check !== 'model') expect(finding).toMatchObject({ state: 'warn', what: expect.stringContaining('the endpoint comes from ./.env and the key does not: not tried') })
  })

  it.each<[string, () => Given]>([
    ['model', () => ({ env: { ...llm(), LLM_API_KEY: KEY } })],
    ['embedding', () => ({ env: { ...embedding(), EMBEDDING_API_KEY: KEY } })],
    ['embedding', () => ({ dotenv: { ...embedding(), EMBEDDING_API_KEY: KEY } })],
    ['bucket', () => ({ env: { ...bucket(), ...bucketKey } })],
    ['bucket', () => ({ dotenv: { ...bucket(), ...bucketKey } })],
  ])('is another matter where the %s has its key from the same place', async (check, given) => {
    await found(check, given())
    expect(heard.length).toBeGreaterThan(0)
    expect(heard[0]).toMatch(check === 'bucket' ? /AWS4-HMAC/ : KEY)
  })

  it('and what the assistant lacks without it is a finding, not the end', async () => {
    expect(await found('model', { dotenv: OAUTH, env: { AUTH_ENABLED: 'true', TRANSPORT: 'http' } })).toMatchObject({ state: 'warn', what: expect.stringContaining('does not read ./.env') })
  })
})

it('prints nothing of what servers send and settings say that acts on a terminal', async () => {
  models = '{"data":[{"id":"\\u009b31m\\u202e\\u001b[2J"}]}'
  const env = { LLM_PROVIDER: 'openai', LLM_ENDPOINT: `${server.url}/v1/chat/completions`, LLM_MODEL: 'small', DATA_DIR: `${folder}/a\u202eb` }
  for (const json of [true, false]) {
    const text = await printed({ env, options: { json } })
    expect(text).toContain('name one that is there')
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\u2028\u2029]/u)
  }
})

describe('--token-file', () => {
  it.each([['opaque', 'malformed'], ['/dev/null', 'no token in the file'], ['/dev/zero', 'malformed']])('reads %s to an end', async (tokenFile, what) => {
    writeFileSync(join(folder, 'opaque'), 'opaque\n')
    expect(await found('token', { env: { ...OAUTH, AUTH_ENABLED: 'true', TRANSPORT: 'http' }, options: { tokenFile } })).toMatchObject({ state: 'fail', what: expect.stringContaining(what) })
  })

  it('that is not there is a wrong setting', async () => {
    await expect(printed({ options: { tokenFile: 'none' } })).rejects.toThrow('--token-file: the file cannot be read')
  })
})
