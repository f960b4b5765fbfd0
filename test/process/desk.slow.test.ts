/** What surrounds the assistant, as processes: kept conversations, undo, policy, and what a working folder must not decide. */

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditReader } from '../../src/app/audit-reader.ts'
import { loadSettings } from '../../src/config/index.ts'
import { answer, choose } from '../../src/testing/index.ts'
import { builtBinary } from './built-binary.ts'
import { HANDSHAKE, makePlace, run, talk } from './child.ts'
import type { Place } from './child.ts'
import { modelSaying } from './fake-model.ts'
import type { FakeModel } from './fake-model.ts'
import { HAS_PTY, inTerminal } from './pty.ts'

let place: Place
let model: FakeModel | undefined
beforeEach(() => {
  place = makePlace()
  put('notes.txt', 'The meeting is on Monday.\n')
})
afterEach(async () => {
  place.remove()
  await model?.close()
  model = undefined
})

const at = (path: string): string => join(place.cwd, path)
const text = (path: string): string | undefined => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined)
function put(path: string, content: string): void {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), content)
}
const configure = (settings: object): void => put('.config/arrowhead/config.json', JSON.stringify(settings, undefined, 1))

async function ask(words: readonly string[], ...texts: readonly string[]) {
  model = await modelSaying(...texts)
  const ended = await run(place, ['ask', ...words], model.env)
  await model.close()
  return ended
}

const SECRET = ['OxGtAYL', 'nnqTqHa', 'PtdqAFW', 'pNLrLwd', 'tFCsFIX', 'x'].join('')
const make = choose('write_file', { path: 'made.txt', content: 'made' })
const edit = choose('edit_file', { path: 'notes.txt', old_text: 'Monday', new_text: 'Tuesday' })
const rows = () => auditReader(loadSettings({}).values, place.dataDir).newest(100).map(({ row }) => row)

describe('a conversation', () => {
  it('of ask is a session that the workspace server lists and reads, without credentials', async () => {
    await ask([`what day? my password=${SECRET}`], choose('read_file', { path: 'notes.txt' }), answer('Monday.'))
    const child = spawn(process.execPath, [await builtBinary(), 'mcp-serve', '--cwd', place.cwd], { cwd: place.cwd, env: { ...place.env } })
    place.children.add(child)
    const server = talk(child)
    server.send(HANDSHAKE)
    await server.answer('hello')
    const listed = JSON.stringify(await server.call(1, 'list_sessions', {}))
    expect(listed).toContain('what day?')
    const [, id = ''] = /"id\\?":\\?"([A-Za-z0-9_.-]{8,})/.exec(listed) ?? []
    const read = JSON.stringify(await server.call(2, 'read_session', { session_id: id }))
    for (const part of ['what day?', 'read_file', 'Monday.']) expect(read).toContain(part)
    expect(listed + read).not.toContain(SECRET.slice(0, 7))
    child.kill()
  })
})

describe('undo', () => {
  it('of a data directory of its own is named with it, so that what is printed leads back from anywhere', async () => {
    const { err } = await ask(['change it', '--yes', '--data-dir', 'own data'], edit, answer('Done.'))
    const [, words = ''] = /arrowhead (undo r-.*)$/m.exec(err) ?? []
    expect(words).toMatch(/^undo r-\S+ --data-dir '.*\/own data'$/)
    const [command = '', id = ''] = words.split(' ')
    mkdirSync(at('elsewhere'))
    expect(await run({ ...place, cwd: at('elsewhere') }, [command, id, '--data-dir', at('own data')])).toMatchObject({ code: 0 })
    expect(text('notes.txt')).toContain('Monday')
  })

  it('takes back what the newest request changed, and says so; then there is nothing left', async () => {
    chmodSync(at('notes.txt'), 0o640)
    expect((await ask(['change it', '--yes'], make, edit, answer('Done.'))).err).toContain('arrowhead undo r-')
    expect([text('made.txt'), text('notes.txt')]).toEqual(['made', 'The meeting is on Tuesday.\n'])
    const listed = await run(place, ['undo', '--list'])
    expect(listed.out).toMatch(/^r-\S+ {2}\S+Z {2}change it\n {4}\S+made\.txt\n {4}\S+notes\.txt\n$/)
    const { code, out } = await run(place, ['undo'])
    expect([code, text('made.txt'), text('notes.txt'), statSync(at('notes.txt')).mode & 0o777]).toEqual([0, undefined, 'The meeting is on Monday.\n', 0o640])
    expect(out).toMatch(/restored {2}\S+notes\.txt\n/)
    expect(rows().filter(({ component }) => component === 'undo')).toMatchObject([{ outcome: 'intent' }, { outcome: 'ok', door: 'cli', errand: { status: 'success' } }])
    const again = await run(place, ['undo'])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('undo.missing')])
  })

  it('of a named request leaves the others, and what somebody else changed since', async () => {
    await ask(['one', '--yes'], make, answer('Done.'))
    await ask(['two', '--yes'], edit, answer('Done.'))
    const { runs } = JSON.parse((await run(place, ['undo', '--list', '--json'])).out) as { runs: readonly { run: string; motive: string }[] }
    expect(runs.map(({ motive }) => motive)).toEqual(['two', 'one'])
    put('made.txt', 'mine by now')
    const { code, out } = await run(place, ['undo', runs[1]?.run ?? '', '--json'])
    expect([code, JSON.parse(out)]).toMatchObject([1, { changes: [{ path: at('made.txt'), state: 'changed-since' }] }])
    expect([text('made.txt'), text('notes.txt')]).toEqual(['mine by now', 'The meeting is on Tuesday.\n'])
  })

  it('says what is not kept', async () => {
    await ask(['remember', '--yes'], make, choose('kv_set', { key: 'k', value: 'v' }), answer('Done.'))
    expect((await run(place, ['undo'])).out).toContain('stays     kv_set: ')
  })

  it.skipIf(!HAS_PTY)('in chat takes back the newest request of this conversation (skipped without python3)', async () => {
    await ask(['elsewhere', '--yes'], choose('write_file', { path: 'other.txt', content: 'x' }), answer('Done.'))
    model = await modelSaying(make, answer('Made.'), answer('Hello.'))
    const { text: shown, code, left } = await inTerminal(place, ['chat'], [
      ['> ', '/undo\n'], ['no request of this conversation', ''], ['> ', 'make it\n'], ['Made.', ''], ['> ', 'hello\n'], ['Hello.', ''], ['> ', '/undo\n'], ['restored', ''], ['> ', '/undo\n'], ['no request of', ''], ['> ', '/exit\n'],
    ], model.env)
    expect([code, left]).toEqual([0, 0])
    expect(shown).toContain('made.txt')
    expect([text('made.txt'), text('other.txt')]).toEqual([undefined, 'x'])
  })
})

describe('the working folder', () => {
  it('decides nothing: its .env is not read, and that is said', async () => {
    const elsewhere = join(place.cwd, 'evil.json')
    writeFileSync(elsewhere, JSON.stringify({ security: { tool_overrides: { delete_file: 'SAFE' } } }))
    put('.env', `ARROWHEAD_LEVEL_OVERRIDES=delete_file=SAFE\nARROWHEAD_CONFIG=${elsewhere}\nARROWHEAD_LLM_ENDPOINT=http://evil.test/\nARROWHEAD_PROFILE=full\n`)
    const { err } = await ask(['delete it'], choose('delete_file', { path: 'notes.txt' }), answer('Could not.'))
    expect(text('notes.txt')).toBeDefined()
    expect(err).toContain('the .env of this folder is not read')
    expect(rows().find(({ component }) => component === 'delete_file')).toMatchObject({ errand: { status: 'confirmation_required', level: 'CONFIRM' } })
    expect(JSON.parse((await run(place, ['policy', 'explain', 'delete_file', 'path=notes.txt', '--json'])).out)).toMatchObject({ verdict: 'asks' })
  })

  it('does not hold the keys: nothing of the data folder is shown, and the config file is not changed', async () => {
    put('arrowhead.json', '{}')
    model = await modelSaying(
      ...['state.key', 'api.token', 'audit.sqlite', 'sessions.sqlite'].map((name) => choose('read_file', { path: `data/${name}` })), choose('list_files', { path: 'data' }), choose('write_file', { path: 'data/x', content: 'x' }),
      choose('write_file', { path: 'arrowhead.json', content: '{"security":{"tool_overrides":{"delete_file":"SAFE"}}}' }), answer('No.'),
    )
    writeFileSync(join(place.cwd, 'data-seen'), '')
    await run(place, ['ask', 'look', '--yes', '--config', 'arrowhead.json'], model.env)
    expect(rows().filter(({ kind, outcome }) => kind === 'tool' && outcome !== 'intent').map(({ code }) => code)).toEqual([...Array(6).fill('path.denied'), 'path.protected'])
    expect(text('arrowhead.json')).toBe('{}')
  })
})

describe('a level that was lowered', () => {
  it('is said by ask, serve and doctor', async () => {
    configure({ security: { tool_overrides: { delete_file: 'SAFE' } } })
    const line = 'security.tool_overrides: delete_file is SAFE instead of CONFIRM'
    expect((await ask(['hi'], answer('Hello.'))).err).toContain(`arrowhead: warning: ${line}`)
    expect((await run(place, ['serve'])).err).toContain(`arrowhead: warning: ${line}`)
    expect((await run(place, ['doctor'])).out).toContain(`warn  ${line}`)
  })
})

// Without python3 there is nothing here that makes a pty.
describe.skipIf(!HAS_PTY)('at a terminal (skipped without python3)', () => {
  const remove = choose('delete_file', { path: 'notes.txt' })

  it.each([['lines', 'y\ny\ny\n'], ['a line that is not ended', 'y']])('ask takes %s typed before the question for no answer', async (_what, ahead) => {
    model = await modelSaying(remove, answer('As you wish.'))
    const { code, left } = await inTerminal(place, ['ask', 'delete it'], [['', ahead], ['Proceed? [y/N] ', '\n'], ['As you wish.', '']], model.env)
    expect([code, left, text('notes.txt')]).toEqual([0, 0, 'The meeting is on Monday.\n'])
  })

  it.each([['lines', 'delete it\ry\ry\r'], ['a line that is not ended', 'delete it\ry']])('chat takes %s typed before the question for no answer', async (_what, ahead) => {
    model = await modelSaying(remove, answer('As you wish.'))
    const { code, left } = await inTerminal(place, ['chat'], [['> ', ahead], ['Proceed? [y/N] ', '\r'], ['As you wish.', ''], ['> ', '/exit\r']], model.env)
    expect([code, left, text('notes.txt')]).toEqual([0, 0, 'The meeting is on Monday.\n'])
  })

  it('chat takes Ctrl-C in a question for an end of the request, and goes on', async () => {
    model = await modelSaying(remove, answer('Hello.'))
    const { code, left } = await inTerminal(place, ['chat'], [['> ', 'delete it\r'], ['Proceed? [y/N] ', '\u0003'], ['it was cancelled', ''], ['> ', 'hello\r'], ['Hello.', ''], ['> ', '/exit\r']], model.env)
    expect([code, left, text('notes.txt')]).toEqual([0, 0, 'The meeting is on Monday.\n'])
  })
})

it('goes on after a request that is longer than any prompt, and after rubbish', async () => {
  model = await modelSaying('{"tool":', '{"answer": <<{{{', '{"tool":"x","name":"y"}', answer('Hello.'))
  const child = spawn(process.execPath, [await builtBinary(), 'chat'], { cwd: place.cwd, env: { ...place.env, ...model.env } })
  place.children.add(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()))
  child.stdin.end(`${'x'.repeat(1_000_000)}\nrubbish\nhello\n`)
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  expect(err).toContain('model.prompt')
  expect(err).toContain('did not say what it wants')
  expect(out).toContain('Hello.')
})

describe('policy', () => {
  it('explains a call by its rule with file and line, and by words', async () => {
    configure({ security: { denied_patterns: ['secret/**'] } })
    const { code, out } = await run(place, ['policy', 'explain', 'read_file', 'path=secret/plan.md'])
    expect(code).toBe(0)
    for (const part of ['read_file would be refused', 'path.denied', `secret/** [security.denied_patterns] (${at('.config/arrowhead/config.json')}:4)`, 'add "secret/plan.md" to security.excepted_patterns']) expect(out).toContain(part)
    expect(JSON.parse((await run(place, ['policy', 'explain', 'write_file', '{"path":"notes.txt","content":"x"}', '--json'])).out)).toMatchObject({ verdict: 'asks', asks: true, level: { value: 'CONFIRM', risen: true } })
    expect([text('notes.txt'), existsSync(place.dataDir)]).toEqual(['The meeting is on Monday.\n', false])
    expect((await run(place, ['policy', 'explain', 'read_file', 'path'])).code).toBe(2)
  })

  it('tests the examples of every rule, and ends with 1 where one is wrong', async () => {
    expect((await run(place, ['policy', 'test'])).code).toBe(0)
    configure({ security: { rules: [{ kind: 'read', match: ['~/notes.txt'] }] } })
    const { code, out } = await run(place, ['policy', 'test'])
    expect([code, out]).toEqual([1, expect.stringContaining('FAIL  config file: rule 1 lets its example 1 of "match" through')])
  })
})

it('names what to do where no model listens', async () => {
  const { code, err } = await run(place, ['ask', 'hi'], { ARROWHEAD_LLM_PROVIDER: 'ollama', ARROWHEAD_LLM_MODEL: 'm', ARROWHEAD_LLM_ENDPOINT: 'http://127.0.0.1:9/api/chat', ARROWHEAD_LLM_INTERNAL_HOSTS: '127.0.0.1:9' })
  expect([code, err]).toEqual([1, expect.stringContaining('start the model server')])
})
