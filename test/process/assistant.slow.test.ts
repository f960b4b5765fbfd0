/** The assistant as people run it: `ask`, `chat` and `api` as processes, in a real terminal, with a server that speaks Ollama's protocol. */

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditReader } from '../../src/app/audit-reader.ts'
import { loadSettings } from '../../src/config/index.ts'
import { json, provider } from '../../src/services/models/provider.fixture.ts'
import type { Play, Provider } from '../../src/services/models/provider.fixture.ts'
import { answer, choose } from '../../src/testing/index.ts'
import { builtBinary } from './built-binary.ts'
import { makePlace, run } from './child.ts'
import type { Place } from './child.ts'
import { HAS_PTY, inTerminal } from './pty.ts'

let place: Place
let model: Provider | undefined
beforeEach(() => {
  place = makePlace()
  mkdirSync(join(place.cwd, 'documents'))
  writeFileSync(join(place.cwd, 'documents/todo.md'), 'buy milk\n')
})
afterEach(async () => {
  place.remove()
  await model?.close()
})

const says = (content: string): Play => json(200, { model: 'm', message: { role: 'assistant', content }, done: true, done_reason: 'stop' })

/** A model that says these in turn, and the settings to reach it. */
async function modelSaying(...texts: readonly string[]): Promise<Readonly<Record<string, string>>> {
  model = await provider(...texts.map(says))
  return {
    ARROWHEAD_LLM_PROVIDER: 'ollama', ARROWHEAD_LLM_MODEL: 'm', ARROWHEAD_LLM_ENDPOINT: model.url, ARROWHEAD_LLM_INTERNAL_HOSTS: `127.0.0.1:${model.port}`,
    ARROWHEAD_ASSISTANT_TOOL_CALLING: 'json',
  }
}

const rows = () => auditReader(loadSettings({}).values, place.dataDir).newest(100).map(({ row }) => row).filter(({ errand, outcome }) => errand && outcome !== 'intent')
const text = (): string => readFileSync(join(place.cwd, 'documents/todo.md'), 'utf8')
const replace = choose('doc_write', { path: 'todo.md', content: 'buy bread\n', overwrite: true })

describe('ask, without a terminal', () => {
  it('prints the answer alone on standard output, and each step on standard error', async () => {
    const env = await modelSaying(choose('doc_read', { path: 'todo.md' }), answer('Buy milk [source: todo.md].'))
    const { code, out, err } = await run(place, ['ask', 'what', 'is', 'to do?'], env)
    expect([code, out]).toEqual([0, 'Buy milk [source: todo.md].\n'])
    expect(err).toContain('  1. doc_read {"path":"todo.md"}\n     success\n')
    expect(rows()).toMatchObject([{ door: 'cli', component: 'doc_read', errand: { motive: 'what is to do?', status: 'success' } }])
  })

  it('prints JSON where it is wanted, and nothing besides with --quiet', async () => {
    const env = await modelSaying(answer('Hello.'))
    expect(JSON.parse((await run(place, ['ask', 'hi', '--json', '--quiet'], env)).out)).toMatchObject({ status: 'answered', answer: 'Hello.', steps: [] })
  })

  it('changes nothing that needs a person', async () => {
    const env = await modelSaying(replace, answer('I could not.'))
    await run(place, ['ask', 'change it'], env)
    expect(text()).toBe('buy milk\n')
    expect(rows()).toMatchObject([{ errand: { status: 'confirmation_required', confirmed: false } }])
  })

  it('changes it with --yes, and that is on record as confirmed; logs show it', async () => {
    const env = await modelSaying(replace, answer('Changed.'))
    expect((await run(place, ['ask', 'change it', '--yes', '--quiet'], env)).code).toBe(0)
    expect(text()).toBe('buy bread\n')
    expect(rows()).toMatchObject([{ errand: { status: 'success', confirmed: true, level: 'CONFIRM' } }])
    expect((await run(place, ['logs'])).out).toMatch(/doc_write .*success\s+CONFIRM\s+confirmed\s+.*request .*"path":"todo\.md".*for change it/)
  })

  it('does not run what is restricted with --yes', async () => {
    const env = await modelSaying(replace, answer('No.'))
    await run(place, ['ask', 'change it', '--yes'], { ...env, ARROWHEAD_LEVEL_OVERRIDES: 'doc_write=RESTRICTED', ARROWHEAD_ALLOW_RESTRICTED: 'doc_write' })
    expect(text()).toBe('buy milk\n')
    expect(rows()).toMatchObject([{ errand: { status: 'declined', level: 'RESTRICTED', confirmed: false } }])
  })

  it('ends with 1 where the model cannot be reached, and says what to do', async () => {
    const { code, err } = await run(place, ['ask', 'hi'], { ...(await modelSaying('')), ARROWHEAD_LLM_ENDPOINT: 'http://127.0.0.1:9/x', ARROWHEAD_LLM_INTERNAL_HOSTS: '127.0.0.1:9' })
    expect(code).toBe(1)
    expect(err).toContain('stopped: model.failed: ')
  })

  it('reads requests from a pipe in chat, one a line', async () => {
    const env = await modelSaying(answer('one'), answer('two'))
    const child = spawn(process.execPath, [await builtBinary(), 'chat'], { cwd: place.cwd, env: { ...place.env, ...env } })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()))
    child.stdin.end('first\nsecond\n')
    await new Promise((resolve) => child.once('close', resolve))
    expect(out).toBe('one\ntwo\n')
  })
})

// Without python3 there is nothing here that makes a pty.
describe.skipIf(!HAS_PTY)('in a terminal (skipped without python3)', () => {
  it('ask shows a panel and runs the call after a typed yes', async () => {
    const env = await modelSaying(replace, answer('Changed.'))
    const { text: shown, code, left } = await inTerminal(place, ['ask', 'change it'], [['Proceed? [y/N] ', 'y\n']], env)
    expect([code, left]).toEqual([0, 0])
    for (const part of ['Action     Write a document (doc_write)', 'Target     todo.md', 'Risk       CONFIRM: what stands there now is replaced', '-buy milk', '+buy bread']) expect(shown).toContain(part)
    expect(text()).toBe('buy bread\n')
  })

  it.each([['an empty line', '\n'], ['the end of input', '\u0004']])('ask takes %s for a no', async (_what, typed) => {
    const env = await modelSaying(replace, answer('As you wish.'))
    await inTerminal(place, ['ask', 'change it'], [['Proceed? [y/N] ', typed]], env)
    expect(text()).toBe('buy milk\n')
    expect(rows()).toMatchObject([{ errand: { status: 'declined', confirmed: false } }])
  })

  it('chat goes on, remembers an agreement to the very same call alone, and knows its commands', async () => {
    const again = choose('doc_write', { path: 'todo.md', content: 'buy milk\n', overwrite: true })
    const env = await modelSaying(replace, answer('Bread.'), replace, answer('Same.'), again, answer('Milk.'))
    const { text: shown, code, left } = await inTerminal(place, ['chat'], [
      ['> ', '/help\n'], ['/clear', ''], ['> ', '/tools\n'], ['doc_write', ''], ['> ', 'to bread\n'], ['Proceed? [y/N]', 'a\n'], ['Bread.', ''],
      ['> ', '/logs\n'], ['for to bread', ''], ['> ', 'again\n'], ['Proceed? [y/N]', 'n\n'], ['Same.', ''], ['> ', 'to milk\n'], ['Proceed? [y/N]', 'n\n'], ['Milk.', ''],
      ['> ', '/undo\n'], ['> ', '/clear\n'], ['forgotten', ''], ['> ', '/exit\n'],
    ], env)
    expect([code, left]).toEqual([0, 0])
    expect(shown).toContain('1. doc_write')
    // What stands there is another than when it was agreed to, so the second is another call.
    expect(text()).toBe('buy bread\n')
  })

  it('chat stops a request with Ctrl-C and goes on', async () => {
    const base = await modelSaying('')
    await model?.close()
    model = await provider((response, { body }) => (JSON.stringify(body['messages']).includes('hello') ? says(answer('Back.'))(response, undefined as never) : undefined))
    const env = { ...base, ARROWHEAD_LLM_ENDPOINT: model.url, ARROWHEAD_LLM_INTERNAL_HOSTS: `127.0.0.1:${model.port}` }
    const { text: shown, code, left } = await inTerminal(place, ['chat'], [['> ', 'hang\r'], ['hang', '\u0003'], ['stopped: it was cancelled', ''], ['> ', 'hello\r'], ['Back.', ''], ['> ', '\u0004']], env)
    expect([code, left]).toEqual([0, 0])
    expect(shown).toContain('Back.')
  })
})

describe('api', () => {
  it('makes a token in a private file, says where, and serves with it', async () => {
    const env = await modelSaying(answer('Hello.'))
    const child = spawn(process.execPath, [await builtBinary(), 'api', '--api-port', '18420'], { cwd: place.cwd, env: { ...place.env, ...env } })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()))
    const file = join(place.dataDir, 'api.token')
    await expect.poll(() => said, { timeout: 30_000 }).toContain(`the token is in ${file}`)
    expect([existsSync(file), statSync(file).mode & 0o777]).toEqual([true, 0o600])
    const token = readFileSync(file, 'utf8')
    expect(said).not.toContain(token)
    const post = (authorization: string) => fetch('http://127.0.0.1:18420/chat', { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{"message":"hi"}' })
    expect((await post('Bearer x')).status).toBe(401)
    expect(await (await post(`Bearer ${token}`)).json()).toMatchObject({ status: 'answered', answer: 'Hello.' })
    const second = await run(place, ['api', '--api-port', '18420'])
    expect([second.code, second.err]).toEqual([78, expect.stringContaining('something else listens there')])
    child.kill('SIGTERM')
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  })
})
