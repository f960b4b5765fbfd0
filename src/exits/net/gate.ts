/**
 * The one decision whether a URL may be dialled, and at which address. Resolves once;
 * a name with a single answer that is not allowed is refused whole.
 */

import { refusal } from '../../kernel/refusal.ts'
import { classifyAddress, isSameAddress, parseAddress } from '../../policy/address.ts'
import type { EgressPolicy, Endpoint } from '../../policy/egress-rules.ts'
import { checkDestination, hostOf, isHostPattern, parseEndpoint, portOf } from '../../policy/egress-rules.ts'
import type { ListeningAddress } from './own-address.ts'
import { isOwnAddress } from './own-address.ts'
import type { Resolver } from './ports.ts'
import { systemResolver } from './resolver.ts'

export interface GateOptions extends EgressPolicy {
  /** Where this process listens at the moment; never dialled. */
  readonly ownAddresses?: (() => readonly ListeningAddress[]) | undefined
  /** Default: the operating system. */
  readonly resolver?: Resolver | undefined
  /** For tests with servers of their own: addresses, as resolved, that pass although they are not public. */
  readonly dangerouslyTreatAsPublic?: ((address: string) => boolean) | undefined
}

interface GateEndpoints {
  /** Exact `host:port` pairs that skip the lists and the address class, and nothing else. */
  readonly exempt: readonly string[]
  /** Exact `host:port` pairs, by name or by address, that are always refused. */
  readonly forbidden: readonly string[]
}

/** Answers the address to pin, or throws the refusal. */
export type Gate = (url: URL) => Promise<string>

const parseEndpoints = (texts: readonly string[]): readonly Endpoint[] =>
  texts.map((text) => {
    const endpoint = parseEndpoint(text)
    if (endpoint === undefined) throw new TypeError('an endpoint must be exactly host:port')
    return endpoint
  })

const isNamed = (endpoints: readonly Endpoint[], url: URL): boolean =>
  endpoints.some(({ host, port }) => host === hostOf(url) && port === portOf(url))

const isLocated = (endpoints: readonly Endpoint[], bytes: Uint8Array, port: number): boolean =>
  endpoints.some((endpoint) => {
    const address = endpoint.port === port ? parseAddress(endpoint.host) : undefined
    return address !== undefined && isSameAddress(address, bytes)
  })

const checkLists = ({ allowedHosts, allowedPorts }: EgressPolicy): void => {
  if (allowedHosts?.some((pattern) => !isHostPattern(pattern)) === true) {
    throw new TypeError('an allowed host must be a host name, an address, or "*." and a host name')
  }
  if (allowedPorts?.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535) === true) {
    throw new TypeError('an allowed port must be between 1 and 65535')
  }
}

const resolve = async (host: string, resolver: Resolver): Promise<readonly [string, ...string[]]> => {
  if (parseAddress(host) !== undefined) return [host]
  const [first, ...rest] = await resolver(host).catch(() => {
    throw refusal('egress.unreachable', undefined, 'dns')
  })
  if (first === undefined) throw refusal('egress.unreachable', undefined, 'no-address')
  return [first, ...rest]
}

/** @throws TypeError for a list entry that could never match: a policy that cannot be applied is an error. */
export const createGate = (options: GateOptions, { exempt, forbidden }: GateEndpoints): Gate => {
  checkLists(options)
  const exemptions = parseEndpoints(exempt)
  const prohibitions = parseEndpoints(forbidden)
  const treatAsPublic = options.dangerouslyTreatAsPublic ?? (() => false)

  const checkAddress = (text: string, port: number, isExempt: boolean): void => {
    const bytes = parseAddress(text)
    if (bytes === undefined) throw refusal('egress.address', undefined, 'unreadable')
    if (isOwnAddress(bytes, port, options.ownAddresses?.() ?? [])) throw refusal('egress.address', undefined, 'own')
    if (isLocated(prohibitions, bytes, port)) throw refusal('egress.address', undefined, 'internal')
    const kind = classifyAddress(bytes)
    if (kind !== 'public' && !isExempt && !treatAsPublic(text)) throw refusal('egress.address', undefined, kind)
  }

  return async (url) => {
    const isExempt = isNamed(exemptions, url)
    const unlisted = isExempt ? undefined : checkDestination(url, options)
    if (unlisted !== undefined) throw unlisted
    if (isNamed(prohibitions, url)) throw refusal('egress.host', undefined, 'internal')
    const addresses = await resolve(hostOf(url), options.resolver ?? systemResolver)
    for (const address of addresses) checkAddress(address, portOf(url), isExempt)
    return addresses[0]
  }
}
