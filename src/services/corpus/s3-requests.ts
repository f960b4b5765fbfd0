/**
 * Requests to an S3-compatible service (Amazon S3 API Reference, 2006-03-01), signed with Signature Version 4 over
 * the body as well. Reads are tried again; a write is sent once, because only its sender knows what a repeat means.
 */

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { OperatorClient, OperatorResponse } from '../../exits/net/index.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'

export interface S3Place {
  /** `https://host/bucket` or `https://host/bucket/prefix`. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT'
  /** Below the place; undefined asks of the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Bytes of the answer's body. */
  readonly maxBytes: number
}

export interface S3Requests {
  /** What the keys of this place begin with, inside the bucket. */
  readonly prefix: string
  /** @throws Refusal `corpus.unavailable`, or `file.too-large` for a body over the limit. */
  send(request: S3Request): Promise<OperatorResponse>
}

const TIMEOUT_MS = 15_000
const READ_TRIES = 3
const PAUSE_MS = 100

/** As S3 spells it: everything but unreserved characters (RFC 3986 §2.3), byte by byte. */
const encoded = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** @param client opened by the first request. */
export function createS3Requests(client: () => Promise<OperatorClient>, { url, region, accessKeyId, secretAccessKey }: S3Place): S3Requests {
  const { origin, pathname } = new URL(url)
  const [bucket = '', ...rest] = pathname.split('/').filter((part) => part !== '').map(decodeURIComponent)
  const prefix = rest.length === 0 ? '' : `${rest.join('/')}/`

  const signed = async (request: S3Request): Promise<{ url: string; headers: Record<string, string> }> => {
    const { AwsV4Signer } = await import('aws4fetch')
    const path = [bucket, ...(request.key === undefined ? [] : (prefix + request.key).split('/'))].map(encoded).join('/')
    const query = Object.entries(request.query ?? {}).map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
    const target = `${origin}/${path}${query === '' ? '' : `?${query}`}`
    const headers = { ...request.headers, 'x-amz-content-sha256': createHash('sha256').update(request.body ?? '').digest('hex') }
    const signer = new AwsV4Signer({ method: request.method, url: target, headers, accessKeyId, secretAccessKey, region, service: 's3' })
    return { url: target, headers: Object.fromEntries((await signer.sign()).headers) }
  }

  const once = async (request: S3Request): Promise<OperatorResponse> => {
    const { method, body, maxBytes } = request
    const answer = await (await client()).request({ ...(await signed(request)), method, body, maxBytes, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal })
    if (answer.status < 500 && answer.status !== 429 && answer.status !== 403 && answer.status !== 401) return answer
    throw refusal('corpus.unavailable', undefined, `status-${answer.status}`)
  }

  return {
    prefix,
    async send(request) {
      const tries = request.method === 'GET' || request.method === 'HEAD' ? READ_TRIES : 1
      for (let left = tries - 1; ; left -= 1) {
        try {
          return await once(request)
        } catch (error) {
          const said = translated(error)
          if (left === 0 || said.code !== 'corpus.unavailable') throw said
          await pause(PAUSE_MS * (tries - left) * (0.5 + Math.random()))
        }
      }
    },
  }
}

/** Whatever the network did is not the caller's to read about. */
function translated(error: unknown): Refusal {
  if (!(error instanceof Refusal)) throw error
  if (error.code === 'egress.too-large') return refusal('file.too-large')
  return error.code.startsWith('egress.') || error.code.startsWith('call.') ? refusal('corpus.unavailable', 'try again', error.reason ?? error.code) : error
}
