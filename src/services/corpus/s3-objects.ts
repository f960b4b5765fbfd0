/** Objects of one place in an S3-compatible service: read whole, written under a condition, listed in order. */

import type { OperatorResponse } from '../../exits/net/index.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { S3Requests } from './s3-requests.ts'

export interface S3Head {
  /** Names these bytes, quotes included (RFC 9110 §8.8.3). */
  readonly etag: string
  readonly size: number
  readonly modifiedMs: number
  /** Of the write that made it, where it was one of ours. */
  readonly writeId: string | undefined
}

export interface S3Object extends S3Head {
  readonly bytes: Uint8Array
}

export interface S3Entry extends Omit<S3Head, 'writeId'> {
  readonly key: string
}

/** Under which condition an object is written: nothing stands there, or exactly this does. */
export type Condition = { readonly absent: true } | { readonly etag: string }

export interface S3Objects {
  head(key: string): Promise<S3Head | undefined>
  /** `unchanged` where it is still what `etag` names. @throws Refusal `file.too-large`. */
  get(key: string, options: { readonly maxBytes: number; readonly etag?: string | undefined }): Promise<S3Object | 'unchanged' | undefined>
  /** @returns its new ETag, or false where the condition does not hold, and nothing was written. @throws Refusal `corpus.unavailable` where nobody knows. */
  put(key: string, bytes: Uint8Array, options: { readonly when: Condition; readonly writeId: string }): Promise<string | false>
  /** In the order of UTF-8 bytes, page by page. */
  list(prefix: string): AsyncGenerator<S3Entry>
}

const WRITE_ID = 'x-amz-meta-arrowhead-write'
const MAX_ERROR_BYTES = 100_000
const MAX_PAGE_BYTES = 16_000_000
const [OK, UNCHANGED, NOT_THERE, CONFLICT, PRECONDITION] = [200, 304, 404, 409, 412]

export function createS3Objects(requests: S3Requests): S3Objects {
  return {
    async head(key) {
      const answer = await requests.send({ method: 'HEAD', key, maxBytes: MAX_ERROR_BYTES })
      if (answer.status === NOT_THERE) return undefined
      return expectOk(answer, () => headOf(answer, Number(answer.headers['content-length'])))
    },
    async get(key, { maxBytes, etag }) {
      const answer = await requests.send({ method: 'GET', key, maxBytes, ...(etag !== undefined && { headers: { 'if-none-match': etag } }) })
      if (answer.status === NOT_THERE) return undefined
      if (answer.status === UNCHANGED) return 'unchanged'
      return expectOk(answer, () => ({ ...headOf(answer, answer.body.length), bytes: answer.body }))
    },
    async put(key, bytes, { when, writeId }) {
      const condition: Record<string, string> = 'etag' in when ? { 'if-match': when.etag } : { 'if-none-match': '*' }
      const answer = await requests.send({ method: 'PUT', key, body: bytes, headers: { ...condition, [WRITE_ID]: writeId }, maxBytes: MAX_ERROR_BYTES })
      // What is gone cannot match either.
      if (answer.status === PRECONDITION || answer.status === CONFLICT || answer.status === NOT_THERE) return false
      return expectOk(answer, () => answer.headers['etag'] ?? '')
    },
    async *list(prefix) {
      for (let token: string | undefined, more = true; more; ) {
        const query = { 'list-type': '2', 'encoding-type': 'url', prefix: requests.prefix + prefix, ...(token !== undefined && { 'continuation-token': token }) }
        const answer = await requests.send({ method: 'GET', query, maxBytes: MAX_PAGE_BYTES })
        const page = expectOk(answer, () => new TextDecoder().decode(answer.body))
        for (const entry of entriesOf(page)) yield { ...entry, key: entry.key.slice(requests.prefix.length) }
        token = elementOf(page, 'NextContinuationToken')
        more = token !== undefined && token !== ''
      }
    },
  }
}

function expectOk<T>({ status }: OperatorResponse, read: () => T): T {
  if (status === OK) return read()
  throw new Refusal('corpus.unavailable', undefined, `status-${status}`)
}

function headOf({ headers }: OperatorResponse, size: number): S3Head {
  const { etag, 'last-modified': modified } = headers
  if (etag === undefined || !Number.isSafeInteger(size)) throw refusal('corpus.unavailable', undefined, 'no-etag')
  return { etag, size, modifiedMs: Date.parse(modified ?? '') || 0, writeId: headers[WRITE_ID] }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const textOf = (xml: string): string => xml.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) =>
  decimal !== undefined || hex !== undefined ? String.fromCodePoint(Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10)) : (ENTITIES[name ?? ''] ?? whole))

const elementOf = (xml: string, name: string): string | undefined => {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return found === undefined ? undefined : textOf(found)
}

/** The answer is a flat list of elements without attributes (ListObjectsV2), so no more is read of XML than that. */
function entriesOf(page: string): readonly S3Entry[] {
  return page.split('<Contents>').slice(1).flatMap((part) => {
    const [key, etag, size, modified] = ['Key', 'ETag', 'Size', 'LastModified'].map((name) => elementOf(part, name))
    if (key === undefined || etag === undefined) return []
    // Spaces come as plus signs where keys are encoded as in a form.
    const name = decodedKey(key)
    return name === undefined ? [] : [{ key: name, etag, size: Number(size), modifiedMs: Date.parse(modified ?? '') || 0 }]
  })
}

function decodedKey(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
