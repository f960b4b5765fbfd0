/** The API on a free port over an app of tests, and a client that speaks real HTTP. */

import { request as httpRequest } from 'node:http'
import type { OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { assistantOver } from '../../assistant/assistant.fixture.ts'
import type { Scripted } from '../../testing/index.ts'
import { createApiDoor } from './index.ts'

export const TOKEN = 'token-of-the-api-0123456789abcdef'

export interface Said {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

type Over = Parameters<typeof assistantOver>[1]

export async function apiOver(script: readonly Scripted[] = [], over: Over = {}, given: { readonly token?: string | undefined } = { token: TOKEN }) {
  const world = assistantOver(script, over)
  const door = createApiDoor({ app: world.app, assistant: world.assistant, token: given.token, version: '0.0.0-test', logs: (limit) => world.rows.slice(-limit) })
  const { port, url } = await door.listen(0)

  /** @param headers replace those of an honest client; undefined leaves one out. */
  const send = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string | undefined>> = {}): Promise<Said> =>
    new Promise((resolve, reject) => {
      const all = { host: `127.0.0.1:${port}`, authorization: `Bearer ${TOKEN}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
      const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as OutgoingHttpHeaders
      const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: kept, setHost: false, agent: false }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers, body: String(response.headers['content-type']).includes('json') ? JSON.parse(text) : {} })
        })
      })
      request.on('error', reject)
      request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
    })

  /** Bytes as they are; resolves with everything that came back once the server closed the connection. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let said = ''
      socket.on('data', (chunk: Buffer) => void (said += chunk.toString()))
      socket.on('close', () => resolve(said))
      socket.on('error', reject)
    })

  return { ...world, port, url, send, raw, post: (path: string, body: unknown, headers?: Readonly<Record<string, string | undefined>>) => send('POST', path, body, headers), close: () => door.close() }
}

export type Api = Awaited<ReturnType<typeof apiOver>>
