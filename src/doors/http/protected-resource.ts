/**
 * What an OAuth client finds without a token: the protected-resource metadata (RFC 9728) and the challenges
 * that lead to it (RFC 6750 §3, RFC 9728 §5.1). No scopes are listed: they would give the catalogue away.
 */

import type { Settings } from '../../config/index.ts'
import { MCP_PATH } from './routes.ts'

export interface ProtectedResource {
  readonly paths: readonly string[]
  readonly document: Readonly<Record<string, unknown>>
  /** For a request without credentials: no error, because none was made. */
  readonly missing: string
  readonly invalid: string
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** @throws TypeError when the public URL or the issuer is unset. */
export function protectedResource({ serverPublicUrl, oauthIssuer }: Pick<Settings, 'serverPublicUrl' | 'oauthIssuer'>): ProtectedResource {
  if (serverPublicUrl === undefined || oauthIssuer === undefined) throw new TypeError('authentication needs a public URL and an issuer')
  const { origin, pathname } = new URL(serverPublicUrl)
  const path = pathname.replace(/\/+$/, '')
  const own = WELL_KNOWN + (path === '' ? MCP_PATH : path)
  const metadata = `resource_metadata="${origin}${own}"`
  return {
    // Clients put the path of the resource behind the well-known part as it stands (RFC 9728 §3.1), but for a slash that is all of it.
    paths: [...new Set([WELL_KNOWN, WELL_KNOWN + MCP_PATH, own, WELL_KNOWN + (path === '' ? '' : pathname)])],
    document: { resource: serverPublicUrl, authorization_servers: [oauthIssuer], bearer_methods_supported: ['header'] },
    missing: `Bearer ${metadata}`,
    invalid: `Bearer error="invalid_token", ${metadata}`,
  }
}
