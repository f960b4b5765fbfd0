/** A regular file that passed every check, and a bounded way to read it: a file that grows is still bounded. */

import { isUtf8 } from 'node:buffer'
import { closeSync, type Stats, readSync } from 'node:fs'
import { refusal } from '../../kernel/refusal.ts'
import { diskError, unavailable } from './disk-error.ts'

export interface ReadLimit {
  /** More bytes than this are refused as `file.too-large`, never cut. */
  readonly maxBytes: number
}

/** Holds a handle until it is closed. */
export interface OpenedFile {
  /** Names from the root, without links. */
  readonly names: readonly string[]
  /** Bytes, when it was opened. */
  readonly size: number
  /** Last change of the content, in milliseconds since 1970-01-01 UTC. */
  readonly modifiedMs: number
  /** From the start of the file. @throws Refusal `file.too-large`. */
  bytes(limit: ReadLimit): Uint8Array
  /** From the start, a byte order mark included. @throws Refusal `file.too-large`; `file.unavailable` if not UTF-8. */
  text(limit: ReadLimit): string
  close(): void
}

/** `!(a <= b)` and not `a > b`: a limit that is no number must not mean no limit. */
const isOver = (bytes: number, limit: number): boolean => !(bytes <= limit)

/** Reads all that the file holds, which is more than `size` if it grew. @throws Refusal `file.too-large`. */
const readToEnd = (fd: number, size: number, maxBytes: number): Buffer => {
  if (isOver(size, maxBytes)) throw refusal('file.too-large')
  let buffer = Buffer.allocUnsafeSlow(size + 1)
  let length = 0
  for (;;) {
    const got = readSync(fd, buffer, length, buffer.length - length, length)
    length += got
    if (got === 0 || length === size) return buffer.subarray(0, length)
    if (isOver(length, maxBytes)) throw refusal('file.too-large')
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafeSlow(length)])
  }
}

const decode = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw unavailable('encoding', 'only UTF-8 text is read')
  return bytes.toString('utf8')
}

const readable = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw diskError(error)
  }
}

export const openedFile = (fd: number, { size, mtimeMs }: Stats, names: readonly string[]): OpenedFile => {
  let isOpen = true
  const bytes = (maxBytes: number): Buffer => {
    if (!isOpen) throw new TypeError('the file is closed')
    return readable(() => readToEnd(fd, size, maxBytes))
  }
  return {
    names,
    size,
    modifiedMs: mtimeMs,
    bytes: ({ maxBytes }) => bytes(maxBytes),
    text: ({ maxBytes }) => decode(bytes(maxBytes)),
    close() {
      if (isOpen) closeSync(fd)
      isOpen = false
    },
  }
}
