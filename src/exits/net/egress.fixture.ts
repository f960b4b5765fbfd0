/** Scripted servers and look-ups for tests of the network exit. */

import { scriptedConnection } from '../../../test/cases/ssrf.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Fetched } from '../../kernel/services.ts'
import type { Connector, EgressOptions, Resolver } from './index.ts'
import { createEgress } from './index.ts'

export const PUBLIC = '93.184.215.14'
export const never = (): AbortSignal => new AbortController().signal
export const resolver: Resolver = async () => [PUBLIC]
export const OK = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok'

/** Answers every connection with the next of `responses`, the last one for ever, and records what was dialled. */
export const scripted = (...responses: readonly string[]) => {
  const dialled: string[] = []
  const connector: Connector = async ({ address, port, name, secure }) => {
    const response = responses[Math.min(dialled.length, responses.length - 1)] ?? OK
    dialled.push(`${secure ? 'tls' : 'tcp'} ${name} ${address} ${port}`)
    return scriptedConnection(address, response)
  }
  return { dialled, connector }
}

export const egressWith = (options: Partial<EgressOptions>) =>
  createEgress({ maxBytes: 1000, timeoutMs: 10_000, maxRedirects: 3, userAgent: 'test', resolver, ...options })

export const outcome = async (fetching: Promise<Fetched | { readonly status: number }>): Promise<string> => {
  try {
    return String((await fetching).status)
  } catch (error) {
    if (error instanceof Refusal) return `${error.code} ${error.reason ?? ''}`.trim()
    throw error
  }
}

export const get = (options: Partial<EgressOptions>, url = 'https://example.com/', signal = never()): Promise<string> =>
  outcome(egressWith(options).get(url, signal))

