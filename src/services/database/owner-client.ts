/** Asks the process that owns the database. When that one ends, every open question is answered as lost. */

import { type Socket, connect } from 'node:net'
import { createFrameReader, frameOf } from './frames.ts'
import type { Job, JobOutcome, JobRunner } from './job.ts'
import type { Asked } from './owner-server.ts'
import { socketPlace } from './socket-place.ts'

export interface OwnerClient extends JobRunner {
  readonly gone: boolean
  close(): Promise<void>
}

const LOST: JobOutcome = { is: 'lost', says: 'the process that owns the database ended' }
/** Beyond the job's own time: the owner may have to start its engine, or to finish another job first. */
const PATIENCE_MS = 60_000

/** @returns undefined where nobody listens. */
export async function askOwner(folder: string): Promise<OwnerClient | undefined> {
  const place = socketPlace(folder)
  const socket = await connected(place.path)
  place.release()
  return socket && clientOver(socket)
}

const connected = (path: string): Promise<Socket | undefined> =>
  new Promise((done) => {
    const socket = connect(path)
    socket.once('error', () => done(undefined))
    socket.once('connect', () => done(socket))
  })

function clientOver(socket: Socket): OwnerClient {
  const open = new Map<number, (outcome: JobOutcome) => void>()
  let count = 0
  let gone = false
  const settle = (id: number, outcome: JobOutcome): void => {
    const done = open.get(id)
    open.delete(id)
    if (open.size === 0) socket.unref()
    done?.(outcome)
  }
  const leave = (): void => {
    gone = true
    socket.destroy()
    for (const id of [...open.keys()]) settle(id, LOST)
  }
  const read = createFrameReader((message) => {
    const { id, outcome } = message as { id: number; outcome: JobOutcome }
    // Whoever closes takes no more jobs: the next one asks anew who owns the database.
    if (outcome.is === 'closed') gone = true
    settle(id, outcome)
  })
  socket.unref()
  socket.on('data', (chunk) => {
    try {
      read(chunk)
    } catch {
      leave()
    }
  })
  socket.on('error', leave)
  socket.once('end', leave)
  socket.once('close', leave)

  const run = (job: Job, signal?: AbortSignal): Promise<JobOutcome> =>
    new Promise((done) => {
      if (gone) return done(LOST)
      if (signal?.aborted) return done({ is: 'timeout' })
      const id = ++count
      const cancel = (): void => {
        if (!gone) socket.write(frameOf({ cancel: id } satisfies Asked))
        settle(id, { is: 'timeout' })
      }
      const timer = setTimeout(cancel, job.timeoutMs + PATIENCE_MS)
      signal?.addEventListener('abort', cancel, { once: true })
      open.set(id, (outcome) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
        done(outcome)
      })
      socket.ref()
      socket.write(frameOf({ id, job } satisfies Asked))
    })
  return {
    run,
    get gone() {
      return gone
    },
    close: async () => leave(),
  }
}
