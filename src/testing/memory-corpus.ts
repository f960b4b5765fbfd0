/** A corpus in memory, for tests of tools: no limits, and of the rules for paths only those that matter there. */

import { createHash } from 'node:crypto'
import type { CorpusDocument, OpenCorpus } from '../kernel/ports/corpus.ts'
import { Refusal, refusal } from '../kernel/refusal.ts'

const NO_PATH = /^$|^\/|(?:^|\/)\.\.(?:\/|$)|[\p{Cc}\\\p{Cs}]/u

/** @param texts documents by path; later writes are not seen in it. */
export function memoryCorpus(texts: Readonly<Record<string, string>> = {}): OpenCorpus {
  const kept = new Map(Object.entries(texts).map(([path, text]) => [path, documentOf(path, new TextEncoder().encode(text))]))
  const found = (path: string): CorpusDocument => {
    if (NO_PATH.test(path)) throw refusal('path.invalid')
    const document = kept.get(path)
    if (!document) throw refusal('file.unavailable')
    return document
  }
  return {
    read: async (path) => found(path),
    stat: async (path) => found(path),
    async *list(prefix, { maxEntries = Number.POSITIVE_INFINITY } = {}) {
      const paths = [...kept.keys()].filter((path) => path.startsWith(prefix)).sort()
      for (const path of paths.slice(0, maxEntries)) {
        const { size, modifiedMs, bytes } = found(path)
        yield { path, size, modifiedMs, read: () => bytes }
      }
    },
    async write(path, bytes, { overwrite, ifSha256, signal }) {
      if (signal?.aborted === true) throw signal.reason instanceof Refusal ? signal.reason : refusal('call.cancelled')
      if (NO_PATH.test(path) || path.endsWith('/')) throw refusal('path.invalid')
      const before = kept.get(path)
      if (before && !overwrite) throw refusal('file.exists')
      if (ifSha256 !== undefined && before?.sha256 !== ifSha256) throw refusal('file.changed')
      kept.set(path, documentOf(path, bytes))
      return { path, size: bytes.length, replaced: before !== undefined }
    },
    usage: async () => ({ usedBytes: [...kept.values()].reduce((sum, { size }) => sum + size, 0), quotaBytes: Number.MAX_SAFE_INTEGER }),
    close: async () => {},
  }
}

const documentOf = (path: string, bytes: Uint8Array): CorpusDocument =>
  ({ path, bytes, size: bytes.length, modifiedMs: 0, sha256: createHash('sha256').update(bytes).digest('hex') })
