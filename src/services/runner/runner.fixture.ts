/** What tests of runners share: small limits, and the output of a run as text. */

import type { Finished, Piece } from '../../exits/process/command.ts'
import type { Limits, Work } from './backend.ts'

export const LIMITS: Limits = { wallMs: 60_000, cpuSeconds: 30, memoryBytes: 300_000_000, maxOutputBytes: 50_000, processes: 64, diskBytes: 20_000_000 }

export const snippet = (code: string, language: 'python' | 'javascript' = 'python', stdin = ''): Work => ({ kind: 'snippet', language, code: Buffer.from(code), stdin: Buffer.from(stdin) })

export const textOf = ({ output }: Pick<Finished, 'output'>, from: Piece['from'] = 'stdout'): string =>
  Buffer.concat(output.filter((piece) => piece.from === from).map(({ bytes }) => bytes)).toString()

/** A signal that never aborts. */
export const never = (): AbortSignal => new AbortController().signal
