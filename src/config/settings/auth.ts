/** Who may call: access tokens (OAuth 2.1 resource server), scopes, and the grants on single resources. */

import { choice, list, toggle } from '../kinds.ts'
import { domain, hostPort, webUrl } from '../network-kinds.ts'
import { dangerousSwitch, section, setting } from '../setting.ts'
import { jsonObject, line, path, publicKeyPem } from '../text-kinds.ts'

export const auth = section('Authentication', {
  AUTH_ENABLED: setting(toggle(), {
    default: false,
    says: 'Whether every HTTP request must carry an access token; when on, the public URL, issuer, audience and one source of keys are required.',
  }),
  ALLOW_INSECURE_HTTP: dangerousSwitch({
    says: 'Serve HTTP although authentication is off.',
    risk: 'Everyone who can reach the port can call every tool, with no token, scope or grant in the way.',
  }),
  SERVER_PUBLIC_URL: setting(webUrl(), {
    says: 'The URL under which clients know this server, published as its resource identifier (RFC 9728); unset, authentication cannot be switched on.',
  }),
  OAUTH_PROVIDER: setting(choice(['jwt', 'workos']), {
    default: 'jwt',
    says: 'Where tokens come from: jwt takes any OAuth 2.1 issuer described by the settings below, workos derives them from an AuthKit domain.',
  }),
  OAUTH_ISSUER: setting(webUrl(), {
    says: 'Authorization server whose tokens are accepted, equal to their iss claim character by character.',
  }),
  OAUTH_AUDIENCE: setting(line(), {
    says: 'What the aud claim of a token must contain, normally this server\u2019s resource URL; a token for anybody else is refused.',
  }),
  OAUTH_JWKS_URI: setting(webUrl(), {
    says: 'Where the issuer publishes its signing keys (RFC 7517); preferred, because keys can then rotate.',
  }),
  OAUTH_PUBLIC_KEY: setting(publicKeyPem(), {
    says: 'One fixed signing key as PEM, instead of a JWKS URI; setting both is refused.',
  }),
  OAUTH_AUTHKIT_DOMAIN: setting(domain(), {
    says: 'The AuthKit domain of the workos provider, from which issuer and JWKS URI are derived.',
  }),
  OAUTH_REVOCATION_FILE: setting(path(), {
    says: 'A file of tokens and subjects that no longer count, one jti:VALUE, sub:VALUE or sha256:HEX per line, followed while the server runs; it must be readable at start, and unset, none is followed.',
  }),
  OAUTH_STEP_UP: setting(toggle(), {
    default: false,
    risk: 'Whoever calls something without its scope learns that it exists and which scope it needs.',
    says: 'Whether a call that only lacks a scope is answered with HTTP 403 and the scope to ask for (RFC 6750); off, it reads like an unknown name.',
  }),
  INTERNAL_ENDPOINTS: setting(list(hostPort()), {
    risk: 'Each endpoint named here is reached although its address is private or its port is closed to everything else.',
    says: 'Exact endpoints that configured clients (keys, telemetry, embeddings) may reach on private addresses; tools are never let through, and unset and empty both name none.',
  }),
})

export const authorization = section('Authorization', {
  AUTHZ_POLICY: setting(jsonObject(), {
    says: 'Grants applied to single resources on top of scopes; unset or empty applies the default grants, where a caller reads everything but writes only below its own name.',
  }),
  SCOPE_EXPANSIONS: setting(jsonObject(), {
    risk: 'A broad scope that is expanded here gives its holders every scope on the right-hand side.',
    says: 'A map from one scope to the list of scopes it stands for; unset, every scope stands for itself alone.',
  }),
})
