/**
 * The guarded way to the public network, for callers that choose the URL. Nothing is sent before every check
 * has passed, every redirect passes all of them again, and nothing of the caller's own credentials goes out.
 */

import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { Egress, Fetched, FetchLimits } from '../../kernel/services.ts'
import { parseEgressUrl } from '../../policy/egress-rules.ts'
import { createConnector } from './connector.ts'
import { withDeadline } from './deadline.ts'
import type { Answer, AnswerHead } from './exchange.ts'
import { exchange } from './exchange.ts'
import type { GateOptions } from './gate.ts'
import { createGate } from './gate.ts'
import { checkLimit } from './limits.ts'
import type { Connector } from './ports.ts'

export interface EgressOptions extends GateOptions, FetchLimits {
  readonly userAgent: string
  /** Exact `host:port` pairs of the operator's own endpoints, refused even where they are public. */
  readonly internalEndpoints?: readonly string[] | undefined
  /** Default: sockets of this machine. */
  readonly connector?: Connector | undefined
}

type Approve = NonNullable<Parameters<Egress['get']>[2]>

const MAX_CONTENT_TYPE_LENGTH = 200
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const parse = (raw: string, base?: URL): URL => {
  const url = parseEgressUrl(raw, base)
  if (url instanceof Refusal) throw url
  return url
}

/** Where an answer points (RFC 9110 §15.4), blanks around it apart (§5.5). Header bytes arrive as Latin-1; servers write UTF-8. */
const redirectTarget = ({ status, headers }: AnswerHead): string | undefined => {
  const { location } = headers
  if (!REDIRECTS.has(status) || location === undefined) return undefined
  return Buffer.from(location, 'latin1').toString('utf8').replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')
}

const asFetched = ({ status, headers, body }: Answer, url: URL): Fetched => ({
  status,
  contentType: headers['content-type']?.slice(0, MAX_CONTENT_TYPE_LENGTH) ?? null,
  body: new TextDecoder().decode(body),
  bytes: body,
  finalUrl: url.href,
})

/**
 * An `Egress` whose `get` throws a Refusal: `egress.url`, `egress.scheme`, `egress.host`, `egress.port`,
 * `egress.address` (reason: the address class, `own`, `internal` or `unreadable`), `egress.redirects`,
 * `egress.encoding`, `egress.too-large`, `egress.unreachable` or `call.cancelled`. Proxy variables are not read.
 *
 * @throws TypeError for a limit or a list entry that cannot be applied.
 */
export const createEgress = (options: EgressOptions): Egress => {
  const { maxBytes, timeoutMs, maxRedirects, userAgent, connector = createConnector() } = options
  checkLimit('maxBytes', maxBytes)
  checkLimit('timeoutMs', timeoutMs)
  checkLimit('maxRedirects', maxRedirects, 0)
  const gate = createGate(options, { exempt: [], forbidden: options.internalEndpoints ?? [] })
  const headers = { accept: '*/*', 'user-agent': userAgent }

  const skipsBody = (head: AnswerHead): boolean => redirectTarget(head) !== undefined

  const follow = async (raw: string, signal: AbortSignal, approve: Approve): Promise<Fetched> => {
    let url = parse(raw)
    for (let hops = 0; ; hops += 1) {
      const address = await gate(url)
      const answer = await exchange({ url, address, connector, method: 'GET', headers, maxBytes, signal, skipsBody })
      const target = redirectTarget(answer)
      if (target === undefined) return asFetched(answer, url)
      if (hops >= maxRedirects) throw refusal('egress.redirects', undefined, 'too-many')
      url = parse(target, url)
      if (!(await approve(url.href))) throw refusal('access.denied', 'the server redirected to a place that was not granted', 'redirect')
    }
  }

  return { get: (url, signal, approve = () => true) => withDeadline(signal, timeoutMs, (scope) => follow(url, scope, approve)) }
}
