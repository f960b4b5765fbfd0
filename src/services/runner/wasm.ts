/**
 * The `wasm` runner: JavaScript in QuickJS in WebAssembly, in a thread that is ended at the deadline. There is no
 * process, so tests cannot be run, and no Python.
 */

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { End, Finished, Piece } from '../../exits/process/command.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Backend, Limits, Work } from './backend.ts'
import { WORKER } from './wasm-worker.ts'
import type { WorkerMessage, WorkerTask } from './wasm-worker.ts'

/** The thread's own heap, which holds what passes between it and us. */
const HEAP_MB = 128
/** More than WebAssembly can address is no limit. */
const MAX_WASM_BYTES = 2_000_000_000

const resolver = createRequire(import.meta.url)

function libraryPath(): string | undefined {
  try {
    return resolver.resolve('quickjs-emscripten')
  } catch {
    return undefined
  }
}

export function createWasm(): Backend {
  return {
    name: 'wasm',
    problem: () => (libraryPath() === undefined ? 'the package quickjs-emscripten is not installed' : undefined),
    async run(work, limits, signal) {
      const library = libraryPath()
      if (library === undefined) throw refusal('exec.unavailable', 'the operator can ask doctor what is missing')
      if (work.kind === 'tests') throw refusal('exec.unavailable', 'this server has no runner that can start processes')
      if (work.language !== 'javascript') throw refusal('exec.unavailable', 'this server runs JavaScript only')
      return evaluate(taskOf(library, work, limits), limits.wallMs, signal)
    },
  }
}

const taskOf = (library: string, { code, stdin }: Extract<Work, { kind: 'snippet' }>, limits: Limits): WorkerTask => ({
  library,
  code: Buffer.from(code).toString('utf8'),
  stdin: Buffer.from(stdin).toString('utf8'),
  maxOutputBytes: limits.maxOutputBytes,
  maxMemoryBytes: Math.min(limits.memoryBytes, MAX_WASM_BYTES),
  cpuMs: limits.cpuSeconds * 1000,
})

function evaluate(task: WorkerTask, wallMs: number, signal: AbortSignal): Promise<Finished> {
  const startedAt = performance.now()
  const output: Piece[] = []
  let bytes = 0
  return new Promise((resolve) => {
    const worker = new Worker(WORKER, { eval: true, workerData: task, env: {}, stdin: false, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    const finish = (end: End, exitCode: number | null): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      void worker.terminate()
      resolve({ end, exitCode, signal: null, output, durationMs: performance.now() - startedAt })
    }
    const onAbort = (): void => finish('abort', null)
    const timer = setTimeout(() => finish('wall', null), wallMs)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    worker.on('message', (message: WorkerMessage) => {
      if (message.is === 'end') return finish(message.why, message.exitCode)
      const piece = Buffer.from(message.text)
      const room = task.maxOutputBytes - bytes
      if (room > 0) output.push({ from: message.from, bytes: piece.subarray(0, room) })
      bytes += piece.length
    })
    // Its heap was not enough: what the code made was too large to be handed over.
    worker.on('error', () => finish('memory', null))
    worker.on('exit', () => finish('exit', 1))
  })
}
