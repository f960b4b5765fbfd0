/** What a process leaves behind when it ends, and that it ends. */

import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtBinary } from './built-binary.ts'
import { makePlace } from './child.ts'
import type { Place } from './child.ts'

let place: Place
let binary: string
beforeAll(async () => {
  place = makePlace()
  binary = await builtBinary()
})
afterAll(() => place.remove())

const CALL = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'calculate', arguments: { expression: '6*7' } } })}\n`
const HANG_MS = 20_000

test('the last call before the end of the input has its log line', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [binary, 'serve'], { input: CALL, cwd: place.cwd, env: place.env, encoding: 'utf8', timeout: HANG_MS })
  expect([status, stdout]).toEqual([0, expect.stringContaining('42')])
  expect(stderr.split('\n').filter((line) => line.includes('"component":"calculate"'))).toHaveLength(1)
})

test('a last line without its end is read too', () => {
  const { stdout } = spawnSync(process.execPath, [binary, 'serve'], { input: CALL.trim(), cwd: place.cwd, env: place.env, encoding: 'utf8', timeout: HANG_MS })
  expect(stdout).toContain('42')
})

test.skipIf(process.platform !== 'linux')('a data directory that cannot be made does not keep the process', () => {
  const env = { ...place.env, ARROWHEAD_DATA_DIR: '/proc/none/deep' }
  const { signal, stdout } = spawnSync(process.execPath, [binary, 'serve'], { input: CALL, cwd: place.cwd, env, encoding: 'utf8', timeout: HANG_MS })
  expect([signal, stdout]).toEqual([null, expect.stringContaining('42')])
})
