/**
 * Runs one server-side-request-forgery case through the real egress exit. Only the look-up and the socket are
 * replaced: names answer from the case, and a connection is a stream that speaks scripted HTTP. A list that
 * would stop the start lets nothing out.
 */

import { Duplex } from 'node:stream'
import type { Connection, Connector, EgressOptions, Resolver } from '../../src/exits/net/index.ts'
import { createEgress } from '../../src/exits/net/index.ts'
import { Refusal } from '../../src/kernel/refusal.ts'
import type { Egress } from '../../src/kernel/services.ts'
import { classifyAddress, parseAddress } from '../../src/policy/address.ts'
import type { Case, Verdict } from './case.ts'

interface Redirect {
  readonly status: number
  readonly location: string
}

export interface Answers {
  /** By name; a name that is absent does not resolve. */
  readonly dns?: Readonly<Record<string, readonly string[]>>
  /** From the second look-up of a name on. */
  readonly dnsThen?: Readonly<Record<string, readonly string[]>>
}

export interface SsrfInput extends Answers {
  readonly url: string
  /** Answers to the requests in order; after them, 200. */
  readonly redirects?: readonly Redirect[]
  readonly allowHosts?: readonly string[]
  readonly allowPorts?: readonly number[]
}

export interface SsrfCase extends Case<SsrfInput> {
  /** The address that must be dialled first. */
  readonly connect?: string
  /** Addresses that may be dialled although the case expects a refusal. */
  readonly pinOk?: readonly string[]
}

/** A connection without a network: answers the first complete request head with `response`. */
export const scriptedConnection = (remoteAddress: string, response: string): Connection => {
  let head = ''
  const stream = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      head += chunk.toString('latin1')
      // As on a real socket, the answer never arrives while the request is still being written.
      if (head.includes('\r\n\r\n')) setImmediate(() => this.push(Buffer.from(response, 'utf8')))
      done()
    },
  })
  return Object.assign(stream, { remoteAddress })
}

const httpResponse = (redirect: Redirect | undefined): string =>
  redirect === undefined
    ? 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok'
    : `HTTP/1.1 ${redirect.status} Moved\r\nlocation: ${redirect.location}\r\ncontent-length: 0\r\n\r\n`

const withoutDot = (name: string): string => name.replace(/\.$/, '').toLowerCase()

export const scriptedResolver = ({ dns = {}, dnsThen = {} }: Answers): Resolver => {
  const asked = new Set<string>()
  const answer = (table: Answers['dns'], host: string): readonly string[] | undefined =>
    Object.entries(table ?? {}).find(([name]) => withoutDot(name) === withoutDot(host))?.[1]
  return async (host) => {
    const isRepeated = asked.has(host)
    asked.add(host)
    const addresses = (isRepeated ? answer(dnsThen, host) : undefined) ?? answer(dns, host)
    if (addresses === undefined) throw new Error('no such name')
    return addresses
  }
}

const isPublic = (address: string): boolean => {
  const bytes = parseAddress(address)
  return bytes !== undefined && classifyAddress(bytes) === 'public'
}

interface Outcome {
  /** Undefined when the fetch was allowed. */
  readonly refused: Refusal | 'the start' | undefined
  readonly dialled: readonly string[]
}

/** Undefined for lists that cannot be applied. */
const open = (options: EgressOptions): Egress | undefined => {
  try {
    return createEgress(options)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const fetchCase = async (input: SsrfInput): Promise<Outcome> => {
  const dialled: string[] = []
  const redirects = [...(input.redirects ?? [])]
  const connector: Connector = async ({ address }) => {
    dialled.push(address)
    return scriptedConnection(address, httpResponse(redirects.shift()))
  }
  const egress = open({
    allowedHosts: input.allowHosts,
    allowedPorts: input.allowPorts,
    maxBytes: 10_000,
    timeoutMs: 10_000,
    maxRedirects: 5,
    userAgent: 'test',
    resolver: scriptedResolver(input),
    connector,
  })
  if (egress === undefined) return { refused: 'the start', dialled }
  try {
    await egress.get(input.url, new AbortController().signal)
    return { refused: undefined, dialled }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error, dialled }
    throw error
  }
}

const isRight = ({ expect, connect, pinOk, alsoOk = [] }: SsrfCase, { refused, dialled }: Outcome): boolean => {
  if (!dialled.every(isPublic)) return false
  const mayRefuse = expect === 'refuse' || alsoOk.includes('refuse')
  if (refused !== undefined) return mayRefuse && (refused === 'the start' || refused.code.startsWith('egress.'))
  if (expect === 'allow' || alsoOk.includes('allow')) return connect === undefined || dialled[0] === connect
  return pinOk !== undefined && dialled.length > 0 && dialled.every((address) => pinOk.includes(address))
}

/** Runs the case; anything thrown that is not a Refusal is a wrong outcome, not an error. */
export const runSsrfCase = async (line: SsrfCase): Promise<Verdict> => {
  try {
    const outcome = await fetchCase(line.input)
    const { refused, dialled } = outcome
    const by = refused instanceof Refusal ? `${refused.code} (${refused.reason ?? 'no reason'})` : refused
    return { right: isRight(line, outcome), got: `${by === undefined ? 'allow' : `refuse ${by}`}, dialled ${dialled.join(' ') || 'nothing'}` }
  } catch (error) {
    return { right: false, got: `threw ${error instanceof Error ? error.message : 'something'}` }
  }
}
