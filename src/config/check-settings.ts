/**
 * Judges settings against each other. Pure; every conflict names the settings it is about and what
 * would resolve it, never a value. All conflicts are found, not only the first.
 */

import { SETTINGS } from './settings.ts'
import type { Settings } from './settings.ts'

type Key = Exclude<keyof Settings, 'perMinute'>

export interface Conflict {
  /** The settings it depends on; when one of them is wrong by itself, the conflict means nothing. */
  readonly keys: readonly Key[]
  readonly says: string
}

type NameOf = (key: Key) => string

type Rule = (settings: Settings, nameOf: NameOf) => readonly (Conflict | undefined)[]

const unset = (value: unknown): boolean => value === undefined

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether an http URL stays on this machine or goes to an endpoint that the operator named. */
function mayBePlain(url: string, endpoints: readonly string[]): boolean {
  const { protocol, hostname, port } = new URL(url)
  const named = endpoints.some((endpoint) => endpoint.toLowerCase() === `${hostname}:${port || '80'}`)
  return protocol === 'https:' || LOOPBACK.test(hostname) || named
}

const required: Rule = (settings, nameOf) => {
  const needs = (key: Key, because: Key, value: string): Conflict | undefined =>
    unset(settings[key])
      ? { keys: [key, because], says: `${nameOf(key)}: must be set when ${nameOf(because)} is ${value}` }
      : undefined
  const { authEnabled, oauthProvider, execRunner, embeddingProvider, llmProvider } = settings
  const workos = authEnabled && oauthProvider === 'workos'
  const jwt = authEnabled && oauthProvider === 'jwt'
  return [
    authEnabled ? needs('serverPublicUrl', 'authEnabled', 'true') : undefined,
    workos ? needs('oauthAuthkitDomain', 'oauthProvider', 'workos') : undefined,
    jwt ? needs('oauthIssuer', 'authEnabled', 'true') : undefined,
    jwt ? needs('oauthAudience', 'authEnabled', 'true') : undefined,
    execRunner === 'container' ? needs('execContainerImage', 'execRunner', 'container') : undefined,
    embeddingProvider === 'http' ? needs('embeddingEndpoint', 'embeddingProvider', 'http') : undefined,
    llmProvider === 'openai' || llmProvider === 'ollama' ? needs('llmEndpoint', 'llmProvider', llmProvider) : undefined,
    llmProvider === 'anthropic' ? needs('llmApiKey', 'llmProvider', 'anthropic') : undefined,
  ]
}

/** The one model of the local provider gives vectors of one size. */
const localDimensions: Rule = ({ embeddingProvider, embeddingDimensions }, nameOf) => [
  embeddingProvider === 'local' && embeddingDimensions !== 512
    ? { keys: ['embeddingProvider', 'embeddingDimensions'], says: `${nameOf('embeddingDimensions')}: must be 512 when ${nameOf('embeddingProvider')} is local` }
    : undefined,
]

const keySource: Rule = ({ authEnabled, oauthProvider, oauthIssuer, oauthJwksUri, oauthPublicKey }, nameOf) => {
  const keys = ['authEnabled', 'oauthProvider', 'oauthJwksUri', 'oauthPublicKey'] as const
  const [enabled, provider, uri, pem] = keys.map(nameOf)
  const none = unset(oauthJwksUri) && unset(oauthPublicKey)
  const both = !unset(oauthJwksUri) && !unset(oauthPublicKey)
  const extra = !unset(oauthIssuer) || !unset(oauthJwksUri) || !unset(oauthPublicKey)
  const missing = `${uri} or ${pem}: one of them must be set when ${enabled} is true`
  const idle = `${nameOf('oauthIssuer')}, ${uri} and ${pem}: leave them unset when ${provider} is workos, which derives them`
  return [
    authEnabled && oauthProvider === 'jwt' && none ? { keys, says: missing } : undefined,
    both ? { keys, says: `${uri} and ${pem}: set one of them, not both` } : undefined,
    oauthProvider === 'workos' && extra ? { keys, says: idle } : undefined,
  ]
}

const insecureHttp: Rule = ({ transport, authEnabled, dangerouslyAllowInsecureHttp }, nameOf) => {
  const keys = ['transport', 'authEnabled', 'dangerouslyAllowInsecureHttp'] as const
  if (transport !== 'http' || authEnabled || dangerouslyAllowInsecureHttp) return []
  const [http, enabled, allow] = keys.map(nameOf)
  const ways = `set ${enabled} to true with its OAuth settings, or ${allow} to true on a network you trust`
  return [{ keys, says: `${http}: http without authentication is refused; ${ways}` }]
}

const plainHttp: Rule = (settings, nameOf) => {
  const { serverPublicUrl, oauthIssuer, oauthJwksUri, embeddingEndpoint, llmEndpoint } = settings
  const internal = settings.internalEndpoints ?? []
  const check = (key: Key, url: string | undefined, list: Key, endpoints: readonly string[]): Conflict | undefined =>
    url === undefined || mayBePlain(url, endpoints)
      ? undefined
      : {
          keys: [key, list],
          says: `${nameOf(key)}: must be https unless it is on this machine or listed in ${nameOf(list)}`,
        }
  const model = [...internal, ...(settings.llmInternalHosts ?? [])]
  return [
    settings.authEnabled ? check('serverPublicUrl', serverPublicUrl, 'internalEndpoints', internal) : undefined,
    check('oauthIssuer', oauthIssuer, 'internalEndpoints', internal),
    check('oauthJwksUri', oauthJwksUri, 'internalEndpoints', internal),
    unset(settings.embeddingApiKey)
      ? undefined
      : check('embeddingEndpoint', embeddingEndpoint, 'internalEndpoints', internal),
    unset(settings.llmApiKey) ? undefined : check('llmEndpoint', llmEndpoint, 'llmInternalHosts', model),
  ]
}

type NumberKey = { [K in Key]: Settings[K] extends number ? K : never }[Key]

/** Pairs of which the first may not exceed the second. */
const ORDERED: readonly (readonly [smaller: NumberKey, larger: NumberKey])[] = [
  ['docWriteMaxBytes', 'docWriteQuotaBytes'],
  ['embeddingDimensions', 'pgvectorMaxDimensions'],
  ['httpHeaderTimeoutSeconds', 'httpRequestTimeoutSeconds'],
  ['kvMaxValueBytes', 'memoryQuotaBytes'],
  ['maxConcurrentCallsPerCaller', 'maxConcurrentCalls'],
  ['memoryMaxContentBytes', 'memoryQuotaBytes'],
  ['taskScheduleMinRepeatSeconds', 'taskScheduleMaxDelaySeconds'],
]

const order: Rule = (settings, nameOf) => {
  const [overlap, chunk] = ['vectorIndexChunkOverlap', 'vectorIndexChunkMaxChars'] as const
  return [
    ...ORDERED.map(([smaller, larger]) =>
      settings[smaller] > settings[larger]
        ? { keys: [smaller, larger], says: `${nameOf(smaller)}: must not exceed ${nameOf(larger)}` }
        : undefined,
    ),
    settings[overlap] >= settings[chunk]
      ? { keys: [overlap, chunk], says: `${nameOf(overlap)}: must be less than ${nameOf(chunk)}` }
      : undefined,
  ]
}

const RULES: readonly Rule[] = [required, localDimensions, keySource, insecureHttp, plainHttp, order]

const ENV_NAMES: ReadonlyMap<string, string> = new Map(SETTINGS.map(({ key, env }) => [key, env]))

/** Finds every conflict. `spelled` holds names as the operator wrote them; others are named by environment name. */
export function checkSettings(
  settings: Settings,
  spelled: ReadonlyMap<string, string> = new Map(),
): readonly Conflict[] {
  const nameOf: NameOf = (key) => spelled.get(key) ?? ENV_NAMES.get(key) ?? key
  return RULES.flatMap((rule) => rule(settings, nameOf)).filter((conflict) => conflict !== undefined)
}
