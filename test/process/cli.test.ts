/** The command line as scripts use it: what goes to which stream, and the exit code. */

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../src/doors/cli/main.ts'
import { builtBinary } from './built-binary.ts'
import { makePlace, run } from './child.ts'
import type { Ended, Place } from './child.ts'

let place: Place
beforeAll(async () => {
  place = makePlace()
  // Two calls, so that the trail has something to show.
  await inProcess(['tools', 'call', 'calculate', '{"expression":"6 * 7"}'])
  await inProcess(['tools', 'call', 'calculate', '{"expression":"PRIVATE"}'])
})
afterAll(() => place.remove())

/** Runs a command line over streams of this process: as the executable does, without starting one. */
async function inProcess(args: readonly string[], env: Readonly<Record<string, string>> = {}, isTTY = false): Promise<Ended> {
  const text = { out: '', err: '' }
  const stream = (name: 'out' | 'err'): PassThrough => new PassThrough().setEncoding('utf8').on('data', (chunk: string) => void (text[name] += chunk))
  const code = await main(args, {
    stdin: new PassThrough().end(), stdout: stream('out'), stderr: Object.assign(stream('err'), { isTTY }), env: { ...place.env, ...env }, cwd: place.cwd, home: place.cwd,
    platform: process.platform, stop: new AbortController().signal, parent: () => 1,
  })
  await new Promise((resolve) => setImmediate(resolve))
  return { code, ...text }
}

describe('a command that does its work exits 0 and says nothing on standard error', () => {
  const GOOD: readonly (readonly [args: readonly string[], shows: RegExp])[] = [
    [['--version'], /^\d+\.\d+\.\d+\n$/],
    [['--help'], /Examples:/],
    [['tools', 'call', 'calculate', '{"expression":"6 * 7"}'], /^\{\s*"result": 42\s*\}\n$/],
    [['tools', 'list'], /^calculate +tools:read +SAFE +120\/min +\d+ tokens +Calculate$/m],
    [['tools', 'list', '--json'], /"name": "calculate"/],
    [['list-tools'], /^calculate +tools:read +SAFE +120\/min +\d+ tokens +Calculate$/m],
    [['tools', 'show', 'calculate'], /"perMinute": 120/],
    [['config', 'explain'], /^ARROWHEAD_PORT=8000 {2}\(default\)$/m],
    [['config', 'explain', '--json', '--port', '9000'], /"value": "9000"/],
    [['doctor'], /^ok +the audit trail is whole: \d+ rows$/m],
    [['doctor', '--token-file', '-'], /^warn +authentication is off, so nobody looks at the token$/m],
    [['logs', '--limit', '50'], /calculate/],
    [['logs', '--json'], /"component":"calculate"/],
    [['audit', 'verify'], /^whole: \d+ rows, head \d+:[0-9a-f]{64}\n$/],
  ]

  test.concurrent.each(GOOD)('%j', async (args, shows) => {
    const { code, out, err } = await run(place, args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(shows)
  })

  test('JSON on standard output is JSON, whole', async () => {
    for (const args of [['tools', 'list', '--json'], ['list-tools', '--json'], ['tools', 'show', 'calculate'], ['config', 'explain', '--json'], ['doctor', '--json'], ['audit', 'verify', '--json'], ['client', 'list', '--json'], ['policy', 'test', '--json'], ['undo', '--list', '--json'], ['overlay', 'diff', '--json'], ['checkpoint', 'list', '--json']]) {
      expect(typeof JSON.parse((await inProcess(args)).out)).toBe('object')
    }
    const { out } = await inProcess(['logs', '--json'])
    for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ event: 'call', door: 'cli', head: expect.stringMatching(/^\d+:[0-9a-f]{64}$/) })
  })

  test('long work shows how far it is on a terminal, takes that away, and never beside JSON', async () => {
    const shown = await inProcess(['audit', 'verify'], {}, true)
    expect(shown).toMatchObject({ code: 0, err: expect.stringMatching(/^\r\u001b\[2Kreading the trail \[#+\] 100 %\r\u001b\[2K$/) })
    expect(await inProcess(['audit', 'verify', '--json'], {}, true)).toMatchObject({ code: 0, err: '' })
  })

  test('tools list shows what the profile and the kill switch leave', async () => {
    const { out } = await inProcess(['tools', 'list', '--disabled-tools', 'calculate'])
    expect(out).not.toContain('calculate')
    expect(out).toContain('read_file')
  })
})

describe('a refusal exits 1 with its code, and nothing of what was typed', () => {
  const REFUSED: readonly (readonly [args: readonly string[], says: string])[] = [
    [['tools', 'call', 'calculate', '{"expression":"PRIVATE"}'], 'expression.syntax'],
    [['tools', 'call', 'calculate', '{"expression":5,"PRIVATE":1}'], 'input.invalid'],
    [['tools', 'call', 'calculate', '{}'], 'input.invalid'],
    [['tools', 'call', 'PRIVATE', '{}'], 'component.unknown'],
    [['tools', 'call', 'constructor'], 'component.unknown'],
    [['tools', 'call', 'calculate', '{"expression":"1"}', '--disabled-tools', 'calculate'], 'component.unknown'],
    [['tools', 'call', 'read_file', '{"path":"../PRIVATE"}'], 'path.invalid'],
    [['tools', 'show', 'PRIVATE'], 'no such tool'],
    [['tools', 'show', '__proto__'], 'no such tool'],
  ]

  test.each(REFUSED)('%j', async (args, says) => {
    const { code, out, err } = await inProcess(args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(says)
    expect(err).not.toContain('PRIVATE')
  })

  test('a trail that does not hold a head noted elsewhere', async () => {
    const { code, out, err } = await inProcess(['audit', 'verify', '--anchor', `1:${'0'.repeat(64)}`])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('anchor')
  })

  test('a trail that does hold it is whole', async () => {
    const { out } = await inProcess(['logs', '--json', '--limit', '1'])
    const { head } = JSON.parse(out) as { head: string }
    expect(await inProcess(['audit', 'verify', '--anchor', head])).toMatchObject({ code: 0, err: '' })
  })
})

describe('a command used wrongly exits 2 and says how to use it', () => {
  const WRONG: readonly (readonly string[])[] = [
    ['nonsense'], ['--nonsense'], ['tools'], ['tools', 'call'], ['tools', 'show'], ['audit'], ['config'], ['serve', '--nonsense'],
    ['tools', 'call', 'calculate', 'PRIVATE'], ['tools', 'call', 'calculate', '[1]'], ['tools', 'call', 'calculate', '"x"'],
    ['logs', '--limit', 'x'], ['logs', '--limit', '-1'], ['logs', '--limit', '1e9'],
    ['audit', 'verify', '--anchor', 'x'], ['audit', 'verify', '--anchor', '1:00'], ['audit', 'verify', '--anchor', `-1:${'0'.repeat(64)}`],
  ]

  test.each(WRONG.map((args) => [args] as const))('%j', async (args) => {
    const { code, out, err } = await inProcess(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).not.toBe('')
  })

  test('as a process too', async () => {
    expect(await run(place, ['tools', 'call'])).toMatchObject({ code: 2, out: '' })
  })
})

describe('settings that are not in order exit 78', () => {
  test('ten wrong ones are all named at once, wherever they came from, and no value is repeated', async () => {
    const { code, out, err } = await run(
      place,
      ['serve', '--port', 'PRIVATE', '--http-max-body-bytes', '-1', '--profile', 'PRIVATE', '--oauth-issuer', 'PRIVATE'],
      {
        ARROWHEAD_UNKNOWN_PER_MINUTE: 'PRIVATE', ARROWHEAD_AUTH_ENABLED: 'PRIVATE', ARROWHEAD_CALL_TIMEOUT_SECONDS: 'PRIVATE',
        ARROWHEAD_OUTPUT_MAX_BYTES: '0', ARROWHEAD_EGRESS_ALLOWED_PORTS: '80,PRIVATE', ARROWHEAD_NO_SUCH_SETTING: 'PRIVATE',
      },
    )
    expect({ code, out }).toEqual({ code: 78, out: '' })
    const names = [
      '--port', '--http-max-body-bytes', '--profile', '--oauth-issuer', 'ARROWHEAD_UNKNOWN_PER_MINUTE', 'ARROWHEAD_AUTH_ENABLED',
      'ARROWHEAD_CALL_TIMEOUT_SECONDS', 'ARROWHEAD_OUTPUT_MAX_BYTES', 'ARROWHEAD_EGRESS_ALLOWED_PORTS', 'ARROWHEAD_NO_SUCH_SETTING',
    ]
    const lines = err.split('\n').filter((line) => line.startsWith('  - '))
    for (const name of names) expect(lines.filter((line) => line.includes(`${name}:`) || line.includes(`${name} `))).toHaveLength(1)
    expect(lines).toHaveLength(names.length)
    expect(err).not.toContain('PRIVATE')
  })

  const BAD: readonly (readonly string[])[] = [
    ['serve', '--http'], ['serve', '--config', '/no/such/file.json'], ['tools', 'list', '--disabled-tools', 'no_such_tool'],
    ['tools', 'call', 'calculate', '{}', '--port', '0'], ['doctor', '--level-overrides', 'calculate=PRIVATE'], ['doctor', '--token-file', '/no/such/file'], ['logs', '--port', 'x'], ['config', 'explain', '--port', 'x'],
  ]

  test.each(BAD.map((args) => [args] as const))('%j', async (args) => {
    const { code, out, err } = await inProcess(args)
    expect({ code, out }).toEqual({ code: 78, out: '' })
    expect(err).toContain('the settings are not in order')
  })
})

test.each(['', 'here'])('with a HOME of %j nothing of the working folder is a setting', async (home) => {
  for (const folder of [place.cwd, join(place.cwd, 'here')]) {
    mkdirSync(join(folder, '.config/arrowhead'), { recursive: true })
    writeFileSync(join(folder, '.config/arrowhead/config.json'), '{"port": 9999}')
  }
  try {
    expect((await run(place, ['config', 'explain'], { HOME: home })).out).not.toContain('9999')
    expect((await run(place, ['config', 'explain'], { HOME: join(place.cwd, 'here') })).out).toContain('9999')
  } finally {
    for (const folder of ['.config', 'here']) rmSync(join(place.cwd, folder), { recursive: true })
  }
})

const FULL = '/dev/full'
// Such a command still has a database to close when its output is gone.
test.skipIf(!existsSync(FULL))('output that is lost while a command still works is told in one line as well, and a reader that is gone not at all', async () => {
  const binary = await builtBinary()
  const lost = (shell: string) => spawnSync('bash', ['-c', shell, 'bash', process.execPath, binary], { cwd: place.cwd, env: place.env, encoding: 'utf8' })
  expect(lost('"$@" data tables >/dev/full')).toMatchObject({ status: 70, stderr: 'arrowhead: the output could not be written (ENOSPC)\n' })
  expect(lost('set -o pipefail; "$@" data tables | true')).toMatchObject({ status: 0, stderr: '' })
})

test.skipIf(!existsSync(FULL))('a disk that takes none of the output is an exit code of its own, for half an answer is no answer', async () => {
  const binary = await builtBinary()
  const full = openSync(FULL, 'w')
  try {
    const { status, stderr } = spawnSync(process.execPath, [binary, 'tools', 'list', '--json'], { cwd: place.cwd, env: place.env, stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 70, stderr: 'arrowhead: the output could not be written (ENOSPC)\n' })
  } finally {
    closeSync(full)
  }
})
