/** One list of payloads for each kind of input, against every tool that takes it. */

import { createServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MARK, holdsMark, openServer, targetsOf } from './arsenal.ts'
import type { Kind, Server, Target } from './arsenal.ts'

const LONG = 1_000_000

const NOT_TEXT: readonly unknown[] = [null, 7, true, [], [MARK], {}, { [MARK]: MARK }, { toString: MARK }, { __proto__: null, length: 3 }]

const EXPRESSIONS: readonly string[] = [
  `process.env.${MARK}`, `globalThis["${MARK}"]`, `require("${MARK}")`, `import("${MARK}")`, `\`${MARK}\``, `$(${MARK})`, `1;${MARK}`, `1+1/*${MARK}*/`, `{{${MARK}}}`, `\${${MARK}}`,
  `__import__('${MARK}')`, `(()=>${MARK})()`, `${MARK}=1`, `1,${MARK}`, `"${MARK}"`, `\\u${MARK}`, `1\u0000${MARK}`, `1\u2028${MARK}`, `\u202e${MARK}`, `0x${MARK}`, `1_${MARK}`,
  '('.repeat(100_000), '-'.repeat(100_000), '1'.repeat(100_000), '1+'.repeat(50_000), '(1)'.repeat(30_000), MARK.repeat(LONG / 4), '1e99999', '1/0', '2**8', '',
]

/** `%OUT` is the folder around the served one. */
const PATHS: readonly string[] = [
  `../${MARK}.txt`, `sub/../../${MARK}.txt`, `./../${MARK}.txt`, `%OUT/${MARK}.txt`, `/../..%OUT/${MARK}.txt`, `../root-${MARK}/${MARK}.txt`, `link-${MARK}`, `up-${MARK}/${MARK}.txt`, `up-${MARK}/root-${MARK}/${MARK}.txt`,
  `..\\${MARK}.txt`, `..%2f${MARK}.txt`, `%2e%2e/${MARK}.txt`, `%2e%2e%2f${MARK}.txt`, `..%252f${MARK}.txt`, `..%c0%af${MARK}.txt`, `..;/${MARK}.txt`, `....//${MARK}.txt`, `．．/${MARK}.txt`, `..∕${MARK}.txt`, `\u2024\u2024/${MARK}.txt`,
  `../${MARK}.txt\u0000.md`, `welcome.txt\u0000../${MARK}.txt`, `~/${MARK}`, `$HOME/${MARK}`, `C:\\${MARK}.txt`, `\\\\host\\${MARK}`, `file://%OUT/${MARK}.txt`, `/proc/self/root%OUT/${MARK}.txt`, `/proc/self/cwd/${MARK}`, `/dev/fd/0/${MARK}`,
  `${'../'.repeat(1_000)}${MARK}`, `${'a/'.repeat(2_000)}${MARK}`, `${MARK}${'x'.repeat(300)}`, MARK.repeat(LONG / 4), `\ud800${MARK}`, `\u202e${MARK}`, `${MARK}\n../x`, `/${MARK}`, `//${MARK}`,
]

/** `%PORT` is where a server of this machine listens. */
const URLS: readonly string[] = [
  ...['127.0.0.1', 'localhost', '127.1', '0', '0.0.0.0', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', `${MARK}@127.0.0.1`, `127.0.0.1:%PORT@localhost`].map((host) => `http://${host}:%PORT/${MARK}`),
  `http://169.254.169.254/${MARK}`, `http://[fd00:ec2::254]/${MARK}`, `http://10.0.0.1/${MARK}`, `http://192.168.0.1/${MARK}`, `http://100.100.100.200/${MARK}`,
  `file://%OUT/${MARK}.txt`, `FILE://%OUT/${MARK}.txt`, `gopher://127.0.0.1:%PORT/_${MARK}`, `dict://127.0.0.1:%PORT/${MARK}`, `ftp://127.0.0.1:%PORT/${MARK}`, `data:text/plain,${MARK}`, `javascript:${MARK}`, `blob:http://127.0.0.1:%PORT/${MARK}`, `ws://127.0.0.1:%PORT/${MARK}`,
  `//127.0.0.1:%PORT/${MARK}`, `/${MARK}`, `${MARK}`, `http://`, `http://${MARK}`.concat(':99999/'), `http://127.0.0.1:%PORT\\@x.example/${MARK}`, `http://127.0.0.1:%PORT#@x.example/${MARK}`, `http://127.0.0.1:%PORT/\r\nHost: ${MARK}`, ` http://127.0.0.1:%PORT/${MARK}`, `ht\ntp://127.0.0.1:%PORT/${MARK}`, `http:127.0.0.1:%PORT/${MARK}`, `http:///127.0.0.1:%PORT/${MARK}`,
  `http://127.0.0.1:%PORT/${MARK.repeat(1_000)}`, MARK.repeat(LONG / 4), `http://\ud800${MARK}/`, `http://[::1%25lo]:%PORT/${MARK}`,
]

const PAYLOADS: Readonly<Partial<Record<Kind, readonly string[]>>> = { expression: EXPRESSIONS, path: PATHS, url: URLS }

/** A server of this machine that must not be reached; its answer would be a find. */
let canary: HttpServer
let server: Server
let reached = 0
let port = 0

beforeAll(async () => {
  canary = createServer((_request, response) => {
    reached += 1
    response.end(MARK)
  })
  await once(canary.listen(0, '127.0.0.1'), 'listening')
  port = (canary.address() as AddressInfo).port
  if ((await (await fetch(`http://127.0.0.1:${port}/`)).text()) !== MARK) throw new Error('the canary is not there')
  reached = 0
  // The port is opened on purpose: nothing but the address may stand between the tool and the server.
  server = openServer({ egressAllowedPorts: [80, port] })
})
afterAll(async () => {
  canary.close()
  await server.close()
})

const aimed = (payload: string): string => payload.replaceAll('%OUT', server.base).replaceAll('%PORT', String(port))

/** A prefix may be of nothing at all, which is no reason to refuse it. */
async function survives(target: Target, payload: unknown, mayBeEmpty = false): Promise<void> {
  const outcome = await server.attack(target, payload)
  if (!mayBeEmpty || outcome.is !== 'ok') expect([payload, outcome.is]).toEqual([payload, 'refused'])
  expect([payload, holdsMark(outcome.is === 'refused' ? { ...outcome.refusal, says: outcome.refusal.message } : outcome)]).toEqual([payload, false])
}

describe.each(Object.entries(PAYLOADS) as [Kind, readonly string[]][])('hostile input of kind %s', (kind, payloads) => {
  it('finds a tool to attack', () => {
    expect(targetsOf(kind)).not.toEqual([])
  })

  it.each(targetsOf(kind).map((target) => [`${target.tool}.${target.field}`, target] as const))('is refused by %s, which repeats none of it', async (_name, target) => {
    for (const payload of payloads) await survives(target, aimed(payload), kind === 'prefix')
    for (const payload of NOT_TEXT) await survives(target, payload)
    expect(reached).toBe(0)
  })
})

/** What files outside say, which no payload does: an echo of the payload is no find. */
const OUTSIDE = new RegExp(`${MARK} outside`)

describe.each(targetsOf('prefix').map((target) => [target.tool, target] as const))('hostile prefixes of %s', (_tool, target) => {
  it('reach nothing outside: they are refused, or there is nothing below them', async () => {
    const aimedAt = { ...target, input: { ...target.input, ...('query' in target.input && { query: 'outside' }) } }
    for (const payload of PATHS) {
      const outcome = await server.attack(aimedAt, aimed(payload))
      expect([payload, outcome.is]).not.toEqual([payload, 'fault'])
      expect([payload, OUTSIDE.test(JSON.stringify(outcome))]).toEqual([payload, false])
    }
    for (const payload of NOT_TEXT) await survives(target, payload)
  })
})

describe('hostile paths of doc_write', () => {
  it('create documents inside or nothing at all, and change nothing outside', async () => {
    const before = server.outside()
    for (const path of PATHS) {
      const outcome = await server.ask({ kind: 'tool', name: 'doc_write', args: { path: aimed(path), content: 'attack', overwrite: true } })
      expect([path, outcome.is]).not.toEqual([path, 'fault'])
    }
    expect(server.outside()).toEqual(before)
  })
})

it('leaves no trace of a payload in the trail or the log', () => {
  expect(server.rows.length).toBeGreaterThan(100)
  expect(holdsMark([server.rows, server.lines])).toBe(false)
})

it('leaves a server that still works', async () => {
  const [file] = targetsOf('path').filter(({ tool }) => tool === 'read_file')
  expect(JSON.stringify(file && (await server.attack(file, 'welcome.txt')))).toContain('inside')
  expect(await server.ask({ kind: 'tool', name: 'calculate', args: { expression: '6*7' } })).toMatchObject({ is: 'ok', answer: { value: { result: 42 } } })
})
