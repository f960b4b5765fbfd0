/** Settings that follow from others: what the workos provider knows about its issuer, keys and audience. */

import type { Settings } from './settings.ts'

type Derived = Partial<Pick<Settings, 'oauthIssuer' | 'oauthJwksUri' | 'oauthAudience'>>

/** `https://` and the bare domain, whichever way it was written. */
const issuerOf = (domain: string): string => `https://${domain.replace(/^https:\/\//, '').replace(/\/$/, '')}`

/** The values to put in place of unset ones; an audience that was set is kept. */
export function deriveSettings(settings: Settings): Derived {
  const { oauthProvider, oauthAuthkitDomain, oauthAudience, serverPublicUrl } = settings
  if (oauthProvider !== 'workos' || oauthAuthkitDomain === undefined) return {}
  const issuer = issuerOf(oauthAuthkitDomain)
  const keys = { oauthIssuer: issuer, oauthJwksUri: `${issuer}/oauth2/jwks` }
  const derivesAudience = oauthAudience === undefined && serverPublicUrl !== undefined
  return derivesAudience ? { ...keys, oauthAudience: serverPublicUrl } : keys
}
