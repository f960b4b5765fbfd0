/** The catalogue's shapes on the SDK's HTTP handler, as its documentation wires it up. The schemas are made once, in its favour. */

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer, requireBearerAuth } from '@modelcontextprotocol/server'
import type { AuthInfo } from '@modelcontextprotocol/server'
import { importSPKI, jwtVerify } from 'jose'
import { evaluate } from '../../src/tools/core/arithmetic.ts'
import { neverCalled, toolShapes } from '../many-tools.ts'
import { givenParts, listen } from './listen.ts'

export interface SdkParts {
  readonly tools: number
  /** Absent, nobody is asked for a token. */
  readonly auth?: { readonly issuer: string; readonly audience: string; readonly publicKeyPem: string }
}

const { tools, auth } = givenParts<SdkParts>()
const shapes = toolShapes(tools)
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const calculated = ({ expression }: Record<string, unknown>) => {
  const value = { result: evaluate(expression as string) }
  return { content: [{ type: 'text' as const, text: JSON.stringify(value) }], structuredContent: value }
}

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'sdk', version: '1' })
  for (const { name, title, description, input, output } of shapes) {
    const config = { title, description, inputSchema: input, outputSchema: output, annotations: READS }
    server.registerTool(name, config, name === 'calculate' ? calculated : neverCalled)
  }
  return server
})

type Parts = NonNullable<SdkParts['auth']>

/** A verifier that trusts nothing it has seen before: the SDK brings no cache. */
async function bearerGate({ issuer, audience, publicKeyPem }: Parts): Promise<(request: Request) => Promise<AuthInfo | Response>> {
  const key = await importSPKI(publicKeyPem, 'EdDSA')
  return requireBearerAuth({
    requiredScopes: ['tools:read'],
    verifier: {
      async verifyAccessToken(token) {
        const { payload } = await jwtVerify<{ scope: string }>(token, key, { issuer, audience, algorithms: ['EdDSA'], requiredClaims: ['exp', 'sub'] })
        return { token, clientId: payload.sub ?? '', scopes: payload.scope.split(' '), expiresAt: payload.exp ?? 0 }
      },
    },
  })
}

const gate = auth && (await bearerGate(auth))
const serve = toNodeHandler({
  async fetch(request, options) {
    if (!gate) return handler.fetch(request, options)
    const authInfo = await gate(request)
    return authInfo instanceof Response ? authInfo : handler.fetch(request, { ...options, authInfo })
  },
})
// The adapter's structural types do not know exactOptionalPropertyTypes.
listen(createServer(serve as (request: IncomingMessage, response: ServerResponse) => Promise<void>))
