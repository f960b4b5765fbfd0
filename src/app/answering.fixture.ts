/** A server of this machine for tests of what asks one: answers by path, closed by the test. */

import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Answer {
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answering {
  readonly url: string
  readonly host: string
  close(): void
}

/** @param answer undefined is 404. */
export async function answering(answer: (request: IncomingMessage) => Answer | undefined): Promise<Answering> {
  const server = createServer((request, response) => {
    request.resume()
    const { status = 200, body = '', headers = {} } = answer(request) ?? { status: 404 }
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}`, host, close: () => void server.close() }
}
