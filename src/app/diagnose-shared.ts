/** The checks behind `doctor` for a deployment of several processes: what they share, and the names they are called by. */

import type { Settings } from '../config/index.ts'
import { get } from '../kernel/ports/store.ts'
import { Refusal } from '../kernel/refusal.ts'
import { openLink } from '../services/redis/index.ts'
import { fail, ok, said, shown, warn } from './finding.ts'
import type { Finding } from './finding.ts'
import { openState } from './state.ts'

/** How far the clocks of replicas may be apart, in milliseconds. */
export const CLOCKS_MS = 2_000

/** @param open a test gives a link of its own. */
export async function diagnoseRedis({ redisUrl, stateKey }: Settings, open: typeof openLink = openLink): Promise<Finding> {
  if (redisUrl === undefined) return ok('every process counts limits for itself')
  const link = open({ url: redisUrl, onChange: () => {} })
  try {
    const answer = await link.ask((redis) => redis.ping())
    if (answer !== 'PONG') return fail('Redis does not answer', 'start it, or correct ARROWHEAD_REDIS_URL; until then each process counts limits for itself')
    if (stateKey === undefined) return warn('Redis answers, but replicas on other machines have other keys', 'set ARROWHEAD_STATE_KEY to the same value on every replica')
    const policy = await link.ask((redis) => redis.config('GET', 'maxmemory-policy')) as readonly string[] | undefined
    // Where it may not be asked, nobody can tell.
    if (policy?.[1] !== undefined && policy[1] !== 'noeviction') return warn(`Redis forgets what it has no room for (maxmemory-policy ${shown(policy[1])})`, 'set maxmemory-policy noeviction: what was used once must stay used')
    const time = await link.ask((redis) => redis.time()) as readonly (string | number)[] | undefined
    const offMs = Math.abs(Number(time?.[0]) * 1_000 + Number(time?.[1]) / 1_000 - Date.now())
    if (offMs > CLOCKS_MS) return warn(`the clock of Redis is ${Math.round(offMs / 1_000)} seconds off`, 'set both clocks (NTP): tickets are counted as used before they were given out')
    return ok('Redis answers: limits and tickets are shared')
  } finally {
    await link.close()
  }
}

/** @param open a test gives a store of its own. */
export async function diagnoseState(settings: Settings, open: typeof openState = openState): Promise<Finding> {
  const { store, close } = open(settings, { trailFile: undefined, warn: () => {} })
  if (store === undefined) return ok('memories, working sets and tasks are kept on this machine')
  try {
    await store.use('read', () => get('SELECT count(*) FROM (SELECT 1 FROM task LIMIT 1) AS one'))
    return ok('the server of ARROWHEAD_MEMORY_DSN has its tables')
  } catch (error) {
    const next = error instanceof Refusal && error.code === 'data.unconfigured' ? 'run `arrowhead data init`, or grant arrowhead_memory to the login' : 'start the server, or correct ARROWHEAD_MEMORY_DSN'
    return fail(`the server of ARROWHEAD_MEMORY_DSN cannot be used: ${said(error)}`, next)
  } finally {
    await close()
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** A proxy in front passes the public name on, or sets one that is listed; otherwise every request is refused. */
export function diagnoseHostNames({ transport, host, port, allowedHosts, httpTrustedProxies, serverPublicUrl }: Settings): Finding {
  if (transport !== 'http' || serverPublicUrl === undefined) return ok('no public name is set, so none can be refused')
  const { host: wanted, hostname } = new URL(serverPublicUrl)
  const names = allowedHosts ?? (LOOPBACK.test(host) ? ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`) : undefined)
  if (names === undefined || names.some((name) => name === wanted || name === hostname || name === `${hostname}:443` || name === `${hostname}:80`)) return ok(`requests that name ${wanted} are answered`)
  const rewrites = httpTrustedProxies?.length ? '; what trusted proxies say in X-Forwarded-Host is held to the same list' : ''
  return warn(`requests that name ${wanted} are refused (403 http.host)`, `add ${wanted} to ARROWHEAD_ALLOWED_HOSTS, or let the proxy send a Host that is listed${rewrites}`)
}
