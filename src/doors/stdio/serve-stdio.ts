/**
 * The stdio door: one client, one process. It ends within two seconds of the end of its input or the
 * death of its parent, and answers what was already asked before it goes.
 */

import type { Readable, Writable } from 'node:stream'
import type { App } from '../../app/create-app.ts'
import { createLane } from '../mcp/lane.ts'
import { createConversation } from './conversation.ts'
import { LineTransport } from './line-transport.ts'
import { createLibrary } from './library.ts'

const GRACE_MS = 1_000
const PARENT_POLL_MS = 500

export interface StdioDoor {
  /** Resolves when the client is gone and what it asked for is answered. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

export interface StdioOptions {
  readonly app: App
  readonly version: string
  readonly input: Readable
  readonly output: Writable
  /** The parent's process id, read anew at each call. */
  parent(): number
}

export function serveStdio({ app, version, input, output, parent }: StdioOptions): StdioDoor {
  const { stdioMaxMessageBytes, stdioMaxConcurrentRequests, maxConcurrentCallsPerCaller, hotLane } = app.settings
  const conversation = createConversation({ app, lane: createLane(app, version), write: (line) => transport.write(line) })
  const transport = new LineTransport({
    input, output, maxMessageBytes: stdioMaxMessageBytes, offers: app.offers,
    // One client is one caller: more at once than a caller may run would be refused instead of waiting.
    maxConcurrent: Math.min(stdioMaxConcurrentRequests, maxConcurrentCallsPerCaller),
    note: (event) => app.note(event),
    direct: hotLane ? conversation.direct : () => undefined,
    reply: (response) => conversation.reply(response) || library.reply(response),
    toLibrary: (message, isWanted) => library.take(message, isWanted),
  })
  const library = createLibrary({ app, version, transport, opening: conversation.opening })

  let poll: NodeJS.Timeout | undefined
  const ended = new Promise<void>((resolve) => {
    const born = parent()
    poll = setInterval(() => parent() !== born && resolve(), PARENT_POLL_MS)
    poll.unref()
    input.once('end', () => void transport.idle(GRACE_MS).then(resolve))
    output.once('error', () => resolve())
  })
  const close = async (): Promise<void> => {
    clearInterval(poll)
    await library.close()
    await transport.close()
  }
  return { ended: ended.finally(close), close }
}
