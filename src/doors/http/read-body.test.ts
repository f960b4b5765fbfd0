import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openTestDoor } from './door.fixture.ts'

it('a body that a parser took before the door is a fault at once, not a wait for what has come already, and is said to the operator once', async () => {
  const server = createServer((request, response) => void text(request).then(() => test.door.handle(request, response)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const test = await openTestDoor({ settings: { allowedHosts: [host] } })
  try {
    const before = test.warnings.length
    for (let turn = 0; turn < 2; turn += 1) {
      const { status } = await fetch(`http://${host}/mcp`, {
        method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }), signal: AbortSignal.timeout(2_000),
      })
      expect(status).toBe(500)
    }
    expect(test.warnings.slice(before)).toEqual([expect.stringMatching(/mount the door before any body parser/)])
  } finally {
    server.closeAllConnections()
    server.close()
    await test.close()
  }
})
