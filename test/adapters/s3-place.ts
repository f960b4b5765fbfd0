/** A bucket of a test's own on the server of ARROWHEAD_TEST_S3, and corpora over it. */

import { createOperatorClient } from '../../src/exits/net/index.ts'
import { holdsCredentials } from '../../src/policy/credential-paths.ts'
import { parseRelativePath } from '../../src/policy/relative-path.ts'
import { createS3Corpus } from '../../src/services/corpus/index.ts'
import type { S3CorpusOptions } from '../../src/services/corpus/index.ts'
import type { OpenCorpus } from '../../src/kernel/ports/corpus.ts'

export interface S3World {
  readonly url: string
  open(more?: Partial<S3CorpusOptions>): OpenCorpus
  /** Puts an object there by another hand, or takes it away. */
  put(key: string, text: string | undefined): Promise<void>
  text(key: string): Promise<string | undefined>
  remove(): Promise<void>
}

let buckets = 0

/** @param at another way to the same server. */
export async function openBucket(server: string, at = server): Promise<S3World> {
  const bucket = `b-${process.pid}-${Date.now().toString(36)}-${buckets++}`
  const url = `${server}/${bucket}`
  await fetch(url, { method: 'PUT', headers: UNSIGNED })
  const endpoint = new URL(at).host
  const keys = new Set<string>()
  const put = async (key: string, text: string | undefined): Promise<void> => {
    keys.add(key)
    await fetch(`${url}/team/${key.split('/').map(encodeURIComponent).join('/')}`, text === undefined ? { method: 'DELETE', headers: UNSIGNED } : { method: 'PUT', body: text, headers: UNSIGNED })
  }
  return {
    url, put,
    async text(key) {
      const answer = await fetch(`${url}/team/${key}`, { headers: UNSIGNED })
      return answer.ok ? answer.text() : undefined
    },
    open: (more = {}) => createS3Corpus({
      url: `${at}/${bucket}/team`, region: 'us-east-1', accessKeyId: 'test', secretAccessKey: 'test',
      client: async () => createOperatorClient({ internalHosts: [endpoint], userAgent: 'arrowhead' }),
      parsePath: parseRelativePath, holdsCredentials, extensions: ['.md', '.txt', '.json'], maxDocumentBytes: 100_000, quotaBytes: 1_000_000, cacheBytes: 1_000_000, clock: { now: () => Date.now() }, ...more,
    }),
    async remove() {
      const listing = await (await fetch(`${url}?list-type=2`, { headers: UNSIGNED })).text()
      for (const [, key = ''] of listing.matchAll(/<Key>([^<]*)<\/Key>/g)) await fetch(`${url}/${key.split('/').map(encodeURIComponent).join('/')}`, { method: 'DELETE', headers: UNSIGNED })
      await fetch(url, { method: 'DELETE', headers: UNSIGNED })
    },
  }
}

/** The server of the tests looks at no signature, but wants to be told a key. */
const UNSIGNED = { authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0' }
