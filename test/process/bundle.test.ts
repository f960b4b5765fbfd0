/** What is loaded late must still be found in the bundle: every lazy part of the executable, used once. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePlace, run } from './child.ts'
import type { Place } from './child.ts'

let place: Place
beforeAll(() => void (place = makePlace()))
afterAll(() => place.remove())

test('the network exit is refused or unreachable where there is no network, and never a fault', async () => {
  const { code, err } = await run(place, ['tools', 'call', 'safe_fetch', '{"url":"http://93.184.215.14/"}', '--fetch-timeout-seconds', '2'])
  expect(err).not.toContain('internal error')
  expect([0, 1]).toContain(code)
})

test('a private address is refused', async () => {
  const { code, err } = await run(place, ['tools', 'call', 'safe_fetch', '{"url":"http://127.0.0.1:1/"}'])
  expect([code, err]).toEqual([1, expect.stringContaining('egress.')])
})

test('a file is read from the jail', async () => {
  const { code, err } = await run(place, ['tools', 'call', 'read_file', '{"path":"none.txt"}'])
  expect([code, err]).toEqual([1, expect.stringContaining('file.unavailable')])
})
