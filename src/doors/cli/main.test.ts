/** What the commands say to whoever uses them wrongly, or where the disk does not do what they need. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from './main.ts'

let home: string
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'arrowhead-main-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function run(args: readonly string[], dataDir = join(home, 'data')): Promise<Ended> {
  const text = { out: '', err: '' }
  const stream = (name: 'out' | 'err'): PassThrough => new PassThrough().setEncoding('utf8').on('data', (chunk: string) => void (text[name] += chunk))
  const code = await main(args, {
    stdin: new PassThrough().end(), stdout: stream('out'), stderr: stream('err'), env: { ARROWHEAD_DATA_DIR: dataDir }, cwd: home, home,
    platform: 'linux', stop: new AbortController().signal, parent: () => 1,
  })
  await new Promise((resolve) => setImmediate(resolve))
  return { code, ...text }
}

const HOSTILE = 'x\u001b[2J\u009b31m\u202ey'

describe('what was typed acts on no terminal when it is repeated', () => {
  it.each([
    [[HOSTILE]], [['serve', `--${HOSTILE}`]], [['tools', HOSTILE]], [['policy', 'explain', HOSTILE]],
    [['policy', 'explain', 'read_file', `path=${HOSTILE}`, '--json']], [['client', 'list', '--file', HOSTILE]], [['data', 'load', HOSTILE]],
  ])('%j', async (args) => {
    const { out, err } = await run(args)
    expect(`${out}${err}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  })
})

describe('a command that is used wrongly exits 2, and does nothing', () => {
  it.each([
    [['logs', '--limit', '']], [['logs', '--limit', ' 1']], [['logs', '--limit', '0x10']], [['logs', '--limit', '1e3']], [['logs', '--limit', '-1']],
    [['client', 'list', '--name', 'x y']], [['ask', '']], [['ask', ' ', '\t']],
    [['tools', 'call', 'calculate', '{"expression":"1","expression":"2"}']], [['tools', 'call', 'calculate', '{"expression":"1","Expression":"2"}']],
    [['policy', 'explain', 'read_file', '{"path":"a","path":"b"}']], [['policy', 'explain', 'read_file', 'path=a', 'path=b']],
  ])('%j', async (args) => {
    const { code, out, err } = await run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^arrowhead: .+\n$/)
  })
})

it('logs of none are none, and that there are some is not denied', async () => {
  expect((await run(['logs', '--limit', '0'])).err).toContain('no calls are on record yet')
  await run(['tools', 'call', 'calculate', '{"expression":"1"}'])
  expect(await run(['logs', '--limit', '0'])).toEqual({ code: 0, out: '', err: '' })
})

describe('a data directory that is none is said in one line, by the command and by doctor', () => {
  it.each([[['undo', '--list']], [['checkpoint', 'list']], [['data', 'tables']]])('%j', async (args) => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    const { code, out, err } = await run(args, file)
    expect({ code, out }).toEqual({ code: 70, out: '' })
    expect(err).toMatch(/^arrowhead: ENOTDIR: .+ `arrowhead doctor` looks at what is there\n$/)
    expect((await run(['doctor'], file)).out).toContain('FAIL  the data directory is no folder')
    expect((await run(['doctor'], join(file, 'below'))).out).toContain(`FAIL  the data directory cannot be made: ${file} is no folder`)
  })

  it('a file that is loaded is not called unreadable because of it', async () => {
    writeFileSync(join(home, 'file'), '')
    writeFileSync(join(home, 'a.csv'), 'a\n1\n')
    expect((await run(['data', 'load', 'a.csv'], join(home, 'file'))).err).not.toContain('a.csv')
  })
})

it('a data directory that is a link to nowhere is no good one for doctor', async () => {
  symlinkSync(join(home, 'nowhere'), join(home, 'data'))
  expect((await run(['doctor'])).out).toContain('FAIL  the data directory is a link that leads nowhere')
})

it('a trail that cannot be looked at is neither whole nor empty', async () => {
  mkdirSync(join(home, 'data'))
  symlinkSync('audit.sqlite', join(home, 'data', 'audit.sqlite'))
  expect(await run(['audit', 'verify'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('not whole') })
  expect(await run(['logs'])).toMatchObject({ code: 1, err: expect.not.stringContaining('no calls') })
  expect((await run(['doctor'])).out).toContain('FAIL  the audit trail is not whole')
})

it('a token that is waited for is waited for no longer when the process is asked to stop', async () => {
  const stop = new AbortController()
  const ended = main(['doctor', '--token-file', '-'], {
    stdin: new PassThrough(), stdout: new PassThrough().resume(), stderr: new PassThrough().resume(), env: {}, cwd: home, home,
    platform: 'linux', stop: stop.signal, parent: () => 1,
  })
  setTimeout(() => stop.abort(), 50)
  expect(await ended).toBe(1)
})

it.skipIf(process.platform === 'win32')('a pipe where a folder has its .env holds the assistant up no more than none (skipped on Windows, which has none)', async () => {
  execFileSync('mkfifo', [join(home, '.env')])
  expect(await run(['policy', 'test'])).toMatchObject({ code: 0, err: '' })
})
