/** What node:http alone can do: it reads a body, parses it, and answers JSON of the size of our answer. No check of any kind. */

import { createServer } from 'node:http'
import { listen } from './listen.ts'

const RESULT = {
  content: [{ type: 'text', text: '{"result":14}' }], structuredContent: { result: 14 },
  resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'arrowhead', version: '0.1.0', title: 'Arrowhead' } },
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id: number }
    const text = JSON.stringify({ result: RESULT, jsonrpc: '2.0', id })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
})
listen(server)
