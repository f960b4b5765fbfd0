/** A way to an engine that can be cut, stalled and restored: what a network does, without one. */

import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { freePort, untilFree } from '../free-port.ts'

export interface TcpGate {
  /** The engine, by way of this gate. */
  readonly url: string
  /** Ends every connection and takes no new one. */
  cut(): Promise<void>
  /** Keeps connections open and lets nothing through. */
  stall(): void
  /** Lets everything through, so many milliseconds late. */
  slow(ms: number): void
  /** Lets nothing come back from the moment on in which the engine answers with this text. */
  holdBack(text: string): void
  /** What was sent to the engine while nothing was let through. */
  swallowed(): string
  restore(): Promise<void>
  close(): Promise<void>
}

export async function openTcpGate(to: string): Promise<TcpGate> {
  const target = new URL(to)
  const sockets = new Set<Socket>()
  let [stalled, lateMs, lost] = [false, 0, '']
  let last: string | undefined
  const pass = (chunk: Buffer, into: Socket, toEngine: boolean): void => {
    stalled ||= !toEngine && last !== undefined && chunk.includes(last)
    if (stalled) lost += toEngine ? chunk.toString('latin1') : ''
    // Timers of one length fire in the order in which they were set.
    else if (lateMs > 0) setTimeout(() => void (into.destroyed || into.write(chunk)), lateMs)
    else into.write(chunk)
  }
  const take = (near: Socket): void => {
    const far = connect(Number(target.port), target.hostname)
    for (const [from, into] of [[near, far], [far, near]] as const) {
      sockets.add(from)
      from.on('data', (chunk) => pass(chunk, into, from === near))
      from.on('error', () => into.destroy())
      from.on('close', () => {
        sockets.delete(from)
        into.destroy()
      })
    }
  }
  let server: Server | undefined
  const port = await freePort()
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer(take).once('error', reject).listen(port, '127.0.0.1', resolve)
    })
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      if (!server?.listening) return resolve()
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  await listen()
  const here = new URL(to)
  here.port = String(port)
  return {
    url: here.href,
    cut: stop,
    stall: () => void (stalled = true),
    slow: (ms) => void (lateMs = ms),
    holdBack: (text) => void (last = text),
    swallowed: () => lost,
    async restore() {
      // What was swallowed cannot be given back, so connections that were stalled begin anew.
      ;[stalled, lateMs, lost] = [false, 0, '']
      last = undefined
      for (const socket of sockets) socket.destroy()
      if (server?.listening) return
      await untilFree(port)
      await listen()
    },
    close: stop,
  }
}
