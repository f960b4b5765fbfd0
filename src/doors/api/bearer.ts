/** Whether a request carries the token of this API (RFC 6750 §2.1). How long the answer takes says nothing about how near a guess was. */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { valuesOf } from '../http/fields.ts'

export type BearerFault = 'auth.missing' | 'auth.invalid'

/** Without a token every request passes; the operator spelled that danger. */
export function createBearer(token: string | undefined): (request: IncomingMessage) => BearerFault | undefined {
  if (token === undefined) return () => undefined
  const wanted = digest(token)
  return (request) => {
    const values = valuesOf(request, 'authorization')
    if (values.length === 0) return 'auth.missing'
    const [, given] = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(values[0] ?? '') ?? []
    return values.length === 1 && given !== undefined && timingSafeEqual(digest(given), wanted) ? undefined : 'auth.invalid'
  }
}

/** Of one length, whatever was given. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
