/** The checks behind `doctor` that go out: to the bucket of the corpus, and to this server by its public name. */

import type { Settings } from '../config/index.ts'
import type { OperatorClient, OperatorResponse } from '../exits/net/index.ts'
import { REFUSALS } from '../kernel/refusal.ts'
import { holdsToConditions } from '../services/corpus/index.ts'
import { comesWith, notTried } from './credential-source.ts'
import type { Origins } from './credential-source.ts'
import { fail, ok, said, shown, warn } from './finding.ts'
import type { Finding } from './finding.ts'

const [TIMEOUT_MS, MAX_BYTES] = [5_000, 100_000]
/** No such name is served at this address (RFC 9110 §15.5.20). */
const MISDIRECTED = 421

/** The operator named this one endpoint, so it may be an internal one. */
async function clientOf(url: string): Promise<OperatorClient> {
  const { createOperatorClient } = await import('../exits/net/index.ts')
  const { protocol, hostname, port } = new URL(url)
  return createOperatorClient({ internalHosts: [`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`], userAgent: 'arrowhead' })
}

export interface Question {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One request to an endpoint that the operator named. @throws Refusal `egress.*` */
export async function askAt(url: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<OperatorResponse> {
  return (await clientOf(url)).request({ method, url, headers, ...(body !== undefined && { body }), maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal })
}

export async function diagnoseBucket({ docsS3Url: url, docsS3Region: region, docsS3AccessKeyId: accessKeyId, docsS3SecretAccessKey: secretAccessKey }: Settings, origins?: Origins): Promise<Finding> {
  if (url === undefined) return ok('documents are kept in a folder of this machine')
  if (accessKeyId === undefined || secretAccessKey === undefined) return fail('the bucket has no key', 'set ARROWHEAD_DOCS_S3_ACCESS_KEY_ID and ARROWHEAD_DOCS_S3_SECRET_ACCESS_KEY')
  if (!comesWith('docsS3Url', ['docsS3AccessKeyId', 'docsS3SecretAccessKey'], origins)) return notTried('the bucket', 'ARROWHEAD_DOCS_S3_URL')
  try {
    if (await holdsToConditions(() => clientOf(url), { url, region, accessKeyId, secretAccessKey })) return ok('the bucket answers and holds to conditions: documents are shared')
    return fail('the bucket ignores conditional writes, so two replicas would lose documents', 'use a service that answers 412 to If-None-Match, or leave ARROWHEAD_DOCS_S3_URL unset')
  } catch (error) {
    return fail(`the bucket cannot be used: ${said(error)}`, 'look at ARROWHEAD_DOCS_S3_URL, the region, and whether the key may read and write there')
  }
}

const POSTED: Question = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }

/** What somebody in front does to requests shows only from outside. */
export async function diagnosePublicName({ transport, serverPublicUrl, authEnabled }: Settings): Promise<Finding> {
  if (transport !== 'http' || serverPublicUrl === undefined) return ok('no public URL is set, so none is tried')
  const { origin, host } = new URL(serverPublicUrl)
  let answer: OperatorResponse
  try {
    answer = await askAt(`${origin}/mcp`, POSTED)
  } catch (error) {
    return warn(`${origin} cannot be reached from here: ${said(error)}`, 'start the server and the proxy in front, and run doctor again to see what the proxy does to requests')
  }
  const finding = judged(answer, { origin, host })
  return finding.state === 'ok' && authEnabled ? await throughProxy(answer, origin, finding) : finding
}

function judged({ status, body }: OperatorResponse, { origin, host }: { readonly origin: string; readonly host: string }): Finding {
  const text = new TextDecoder().decode(body)
  if (text.includes(REFUSALS['http.host'].says)) {
    return fail(`${origin} is answered with ${status}: the server is not told the name ${host}`, `let the proxy pass Host on (nginx: proxy_set_header Host $http_host), or name the proxy in ARROWHEAD_HTTP_TRUSTED_PROXIES where it sends X-Forwarded-Host; and list ${host} in ARROWHEAD_ALLOWED_HOSTS`)
  }
  if (status === MISDIRECTED) return fail(`${origin} is answered with 421: whatever listens there does not serve ${host}`, `add a server for ${host} to the proxy, and look at the name in its certificate`)
  if (text.includes('"jsonrpc"')) return ok(`${origin} leads to a server that accepts the name`)
  return warn(`${origin} is answered with ${status}, and not by this server`, 'let the proxy send /mcp to it')
}

/** Three things that a sign-in needs of whoever stands in front: the challenge out, the token in, and the metadata. */
async function throughProxy({ headers }: OperatorResponse, origin: string, finding: Finding): Promise<Finding> {
  const metadata = /resource_metadata="([^"]+)"/.exec(headers['www-authenticate'] ?? '')?.[1]
  if (metadata === undefined) return fail(`${origin} does not pass WWW-Authenticate on, so no client finds the issuer`, 'let the proxy leave the headers of answers as they are')
  if (new URL(metadata).origin !== origin) return fail(`the server calls itself ${shown(new URL(metadata).origin)}`, 'set ARROWHEAD_SERVER_PUBLIC_URL to the same value on every replica')
  const signed = await askAt(`${origin}/mcp`, { ...POSTED, headers: { ...POSTED.headers, authorization: 'Bearer doctor' } })
  if (!(signed.headers['www-authenticate'] ?? '').includes('invalid_token')) return fail(`${origin} does not pass Authorization on, so every token is lost`, 'let the proxy pass that header (nginx does unless told otherwise), and check no token itself')
  const { status, body } = await askAt(metadata)
  if (status !== 200 || !new TextDecoder().decode(body).includes('authorization_servers')) return fail(`${shown(metadata)} is answered with ${status}, and not by this server`, 'let the proxy send /.well-known/oauth-protected-resource and what is below it to this server')
  return ok(`${finding.what}, and passes what a sign-in needs`)
}
