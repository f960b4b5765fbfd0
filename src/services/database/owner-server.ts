/** Serves the owner's engine to the other processes of this user. A process that leaves takes its running jobs along. */

import { chmodSync, rmSync } from 'node:fs'
import { type Server, type Socket, createServer } from 'node:net'
import { createFrameReader, frameOf } from './frames.ts'
import type { Job, JobRunner } from './job.ts'
import { socketPlace } from './socket-place.ts'

export type Asked = { readonly id: number; readonly job: Job } | { readonly cancel: number }

export interface OwnerServer {
  /** Takes no more connections; those that are open go on. */
  stopListening(): void
  /** Ends every connection, once the other side has heard of it. */
  close(): Promise<void>
}

const FAREWELL_MS = 500

/** @param folder private to this user; whoever can open the socket in it may do what the owner may. */
export async function serveJobs(folder: string, runner: JobRunner): Promise<OwnerServer> {
  const place = socketPlace(folder)
  // What lies there was left by an owner that was killed: this process holds the lock.
  if (process.platform !== 'win32') rmSync(place.path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.unref()
    socket.once('close', () => sockets.delete(socket))
    attend(socket, runner)
  })
  try {
    await listening(server, place.path)
  } catch (error) {
    place.release()
    throw error
  }
  server.unref()
  return {
    stopListening: () => void server.close(),
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const socket of sockets) socket.end()
      const impatient = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, FAREWELL_MS)
      await closed
      clearTimeout(impatient)
      place.release()
    },
  }
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(path, () => {
      if (process.platform !== 'win32') chmodSync(path, 0o600)
      done()
    })
  })

function attend(socket: Socket, runner: JobRunner): void {
  const running = new Map<number, AbortController>()
  const start = async (id: number, job: Job): Promise<void> => {
    const stop = new AbortController()
    running.set(id, stop)
    const outcome = await runner.run(job, stop.signal)
    running.delete(id)
    if (!socket.destroyed) socket.write(frameOf({ id, outcome }))
  }
  const read = createFrameReader((message) => {
    const asked = message as Asked
    if ('cancel' in asked) running.get(asked.cancel)?.abort()
    else void start(asked.id, asked.job)
  })
  socket.on('data', (chunk) => {
    try {
      read(chunk)
    } catch {
      socket.destroy()
    }
  })
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    for (const stop of running.values()) stop.abort()
  })
}
