/** Reads a response body, undoing at most one known encoding, and stops at the byte cap while it streams. */

import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { refusal } from '../../kernel/refusal.ts'

/** What is asked for, and all that is read (RFC 9110 §12.5.3). */
export const ACCEPT_ENCODING = 'gzip, br'

const DECODERS: ReadonlyMap<string, (() => Transform) | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
])

const decoderFor = (encoding: string): (() => Transform) | undefined => {
  const name = encoding.trim().toLowerCase()
  // A list of encodings is no key of the table: a second layer could hide a size that the first one shows.
  if (!DECODERS.has(name)) throw refusal('egress.encoding', undefined, 'unknown')
  return DECODERS.get(name)
}

/** Bytes that arrive may exceed the cap by what an encoding needs around an empty or incompressible body. */
const ENCODING_OVERHEAD_BYTES = 1024

/** Takes decoded bytes as they come. @returns false when nothing more is wanted. */
export type Receive = (chunk: Uint8Array) => boolean

export interface BodyLimit {
  readonly maxBytes: number
  /** Gives the first `maxBytes` of a longer body instead of refusing it. */
  readonly cuts?: boolean
  /** Takes the bytes as they come; without it they are kept and answered. */
  readonly receive?: Receive | undefined
}

const counted = async function* (source: AsyncIterable<Buffer>, { maxBytes, cuts = false }: BodyLimit): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes && !cuts) throw refusal('egress.too-large', undefined, 'body')
    yield size > maxBytes ? chunk.subarray(0, chunk.length - (size - maxBytes)) : chunk
    if (size >= maxBytes && cuts) return
  }
}

const collect = async (source: AsyncIterable<Buffer>, limit: BodyLimit): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of counted(source, limit)) {
    if (limit.receive === undefined) chunks.push(chunk)
    else if (!limit.receive(chunk)) break
  }
  return Buffer.concat(chunks)
}

const decode = async (body: AsyncIterable<Buffer>, decoder: Transform, wanted: BodyLimit): Promise<Buffer> => {
  const { maxBytes } = wanted
  const most = maxBytes + (maxBytes >> 3) + ENCODING_OVERHEAD_BYTES
  let arrived = 0
  const source = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of counted(body, { maxBytes: most })) {
      arrived += chunk.length
      yield chunk
    }
  }
  // Ends both streams when either fails; the failure reaches us through the decoder.
  pipeline(source, decoder, () => undefined)
  try {
    return await collect(decoder, wanted)
  } catch (error) {
    // A response may name an encoding and have no body at all.
    if (arrived === 0 && error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR') {
      return Buffer.alloc(0)
    }
    throw error
  }
}

/**
 * The decoded bytes, at most so many of them; none where a receiver takes them. The stream is destroyed on every way out.
 *
 * @throws Refusal `egress.encoding` or `egress.too-large`; stream and zlib errors as they are.
 */
export const readBody = async (body: Readable, encoding: string, limit: BodyLimit): Promise<Buffer> => {
  // Destroying a stream early makes it report an error that nobody waits for any more.
  body.on('error', () => undefined)
  try {
    const createDecoder = decoderFor(encoding)
    return createDecoder === undefined ? await collect(body, limit) : await decode(body, createDecoder(), limit)
  } finally {
    body.destroy()
  }
}
