/** The checks behind `doctor` that go out: to the bucket of the corpus, and to this server by its public name. */

import type { Settings } from '../config/index.ts'
import type { OperatorClient, OperatorResponse } from '../exits/net/index.ts'
import { REFUSALS, Refusal, refusalText } from '../kernel/refusal.ts'
import { holdsToConditions } from '../services/corpus/index.ts'
import type { Finding } from './finding.ts'

const ok = (what: string): Finding => ({ state: 'ok', what })
const [TIMEOUT_MS, MAX_BYTES] = [5_000, 100_000]
/** No such name is served at this address (RFC 9110 §15.5.20). */
const MISDIRECTED = 421

/** The operator named this one endpoint, so it may be an internal one. */
async function clientOf(url: string): Promise<OperatorClient> {
  const { createOperatorClient } = await import('../exits/net/index.ts')
  const { protocol, hostname, port } = new URL(url)
  return createOperatorClient({ internalHosts: [`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`], userAgent: 'arrowhead' })
}

export async function diagnoseBucket({ docsS3Url: url, docsS3Region: region, docsS3AccessKeyId: accessKeyId, docsS3SecretAccessKey: secretAccessKey }: Settings): Promise<Finding> {
  if (url === undefined) return ok('documents are kept in a folder of this machine')
  if (accessKeyId === undefined || secretAccessKey === undefined) return { state: 'fail', what: 'the bucket has no key', next: 'set ARROWHEAD_DOCS_S3_ACCESS_KEY_ID and ARROWHEAD_DOCS_S3_SECRET_ACCESS_KEY' }
  try {
    if (await holdsToConditions(() => clientOf(url), { url, region, accessKeyId, secretAccessKey })) return ok('the bucket answers and holds to conditions: documents are shared')
    return { state: 'fail', what: 'the bucket ignores conditional writes, so two replicas would lose documents', next: 'use a service that answers 412 to If-None-Match, or leave ARROWHEAD_DOCS_S3_URL unset' }
  } catch (error) {
    return { state: 'fail', what: `the bucket cannot be used: ${said(error)}`, next: 'look at ARROWHEAD_DOCS_S3_URL, the region, and whether the key may read and write there' }
  }
}

/** What somebody in front does to requests shows only from outside. */
export async function diagnosePublicName({ transport, serverPublicUrl }: Settings): Promise<Finding> {
  if (transport !== 'http' || serverPublicUrl === undefined) return ok('no public URL is set, so none is tried')
  const { origin, host } = new URL(serverPublicUrl)
  let answer: OperatorResponse
  try {
    answer = await (await clientOf(origin)).request({
      method: 'POST', url: `${origin}/mcp`, headers: { 'content-type': 'application/json' }, body: '{}', maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal,
    })
  } catch (error) {
    return { state: 'warn', what: `${origin} cannot be reached from here: ${said(error)}`, next: 'start the server and the proxy in front, and run doctor again to see what the proxy does to requests' }
  }
  return judged(answer, { origin, host })
}

function judged({ status, body }: OperatorResponse, { origin, host }: { readonly origin: string; readonly host: string }): Finding {
  const text = new TextDecoder().decode(body)
  if (text.includes(REFUSALS['http.host'].says)) {
    return { state: 'fail', what: `${origin} is answered with ${status}: the server is not told the name ${host}`, next: `let the proxy pass Host on (nginx: proxy_set_header Host $http_host), or name the proxy in ARROWHEAD_HTTP_TRUSTED_PROXIES where it sends X-Forwarded-Host; and list ${host} in ARROWHEAD_ALLOWED_HOSTS` }
  }
  if (status === MISDIRECTED) return { state: 'fail', what: `${origin} is answered with 421: whatever listens there does not serve ${host}`, next: `add a server for ${host} to the proxy, and look at the name in its certificate` }
  if (text.includes('"jsonrpc"')) return ok(`${origin} leads to a server that accepts the name`)
  return { state: 'warn', what: `${origin} is answered with ${status}, and not by this server`, next: 'let the proxy send /mcp to it' }
}

const said = (error: unknown): string => (error instanceof Refusal ? refusalText(error) : 'unknown')
