/** Bytes of documents that were read, by the ETag under which they were: never older than the store says they are. */

import type { S3Object } from './s3-objects.ts'

export interface CachedDocument extends S3Object {
  /** Of the bytes: SHA-256 (FIPS 180-4) in lower-case hex. */
  readonly sha256: string
}

export interface DocumentCache {
  get(key: string): CachedDocument | undefined
  put(key: string, document: CachedDocument): void
  drop(key: string): void
}

/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 500

/** @param maxBytes of all documents together; those used last stay. */
export function createDocumentCache(maxBytes: number): DocumentCache {
  const kept = new Map<string, CachedDocument>()
  let bytes = 0
  const drop = (key: string): void => {
    const old = kept.get(key)
    if (old === undefined) return
    kept.delete(key)
    bytes -= old.bytes.length + ENTRY_BYTES
  }
  return {
    drop,
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    put(key, document) {
      drop(key)
      const size = document.bytes.length + ENTRY_BYTES
      if (size > maxBytes) return
      kept.set(key, document)
      bytes += size
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
    },
  }
}
