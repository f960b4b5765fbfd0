/** The protocol library, started only when a message needs it. A handshake that came before it is said again to it. */

import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import type { App } from '../../app/create-app.ts'
import { newPlace, newQuestionId } from '../../app/ids.ts'
import type { LineTransport } from './line-transport.ts'

export interface LibraryParts {
  readonly app: App
  readonly version: string
  readonly transport: LineTransport
  opening(): object | undefined
}

export interface Library {
  take(message: object, isWanted?: () => boolean): void
  /** Takes a response to a question that the library asked; false where it asked none. */
  reply(response: object): boolean
  close(): Promise<void>
}

/** Id of the repeated handshake, whose answer nobody waits for; no client can hit upon it. */
const REPEATED = newQuestionId(newPlace())

export function createLibrary({ app, version, transport, opening }: LibraryParts): Library {
  let started: Promise<{ close(): Promise<void> }> | undefined
  const send = transport.send.bind(transport)
  const asked = new Set<unknown>()
  transport.send = async (message) => {
    if ('id' in message && 'method' in message) asked.add(message.id)
    return 'id' in message && message.id === REPEATED ? undefined : send(message)
  }

  const start = async () => {
    const [{ serveStdio }, { createMcpServer }] = await Promise.all([import('@modelcontextprotocol/server/stdio'), import('../mcp/server.ts')])
    const handle = serveStdio(
      ({ era }) => createMcpServer({ app, version, door: 'stdio', isModern: era === 'modern', callerOf: () => app.local, entered: ({ mcpReq }) => transport.entered(mcpReq.id) }),
      { transport, maxSubscriptions: 0 },
    )
    const handshake = opening()
    if (handshake) {
      give({ ...handshake, id: REPEATED })
      give({ jsonrpc: '2.0', method: 'notifications/initialized' })
    }
    return handle
  }
  const give = (message: object): void => transport.onmessage?.(message as JSONRPCMessage)

  return {
    take(message, isWanted = () => true) {
      // A notification alone is no reason to load it: nothing that was answered here waits for one.
      if (!started && !('id' in message)) return
      started ??= start()
      void started.then(() => isWanted() && give(message))
    },
    reply(response) {
      if (!asked.delete((response as { id?: unknown }).id)) return false
      give(response)
      return true
    },
    async close() {
      await (await started)?.close()
    },
  }
}
