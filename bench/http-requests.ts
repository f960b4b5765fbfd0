/** Requests of the HTTP rows as the bytes that go over the wire, in both eras of the protocol. */

import type { Era } from './raw-client.ts'

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export interface RequestOptions {
  readonly port: number
  readonly era: Era
  readonly token?: string
}

/** A call of `calculate`, whose right answer holds `CALCULATED`. */
export const calculateRequest = (options: RequestOptions): Buffer =>
  requestOf('tools/call', { name: 'calculate', arguments: { expression: '2 * (3 + 4)' } }, options)

export const CALCULATED = '"structuredContent":{"result":14}'

export const listRequest = (options: RequestOptions): Buffer => requestOf('tools/list', {}, options)

function requestOf(method: string, params: { readonly name?: string; readonly arguments?: object }, { port, era, token }: RequestOptions): Buffer {
  const isModern = era === 'modern'
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: isModern ? { ...params, _meta: ENVELOPE } : params })
  const head = [
    'POST /mcp HTTP/1.1', `host: 127.0.0.1:${port}`, 'content-type: application/json', 'accept: application/json, text/event-stream',
    'user-agent: bench', `content-length: ${Buffer.byteLength(body)}`, `mcp-protocol-version: ${isModern ? '2026-07-28' : '2025-11-25'}`,
    ...(isModern ? [`mcp-method: ${method}`] : []),
    ...(isModern && params.name !== undefined ? [`mcp-name: ${params.name}`] : []),
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
