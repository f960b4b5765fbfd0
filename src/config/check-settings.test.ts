import { describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.ts'
import { loadSettings } from './load-settings.ts'

type Env = Readonly<Record<string, string>>

const prefixed = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [`ARROWHEAD_${name}`, value]))

const load = (env: Env) => loadSettings({ env: prefixed(env) })

const problemsOf = (env: Env): readonly string[] => {
  try {
    load(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const PEM = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'
const JWT: Env = {
  AUTH_ENABLED: 'true',
  SERVER_PUBLIC_URL: 'https://mcp.example/mcp',
  OAUTH_ISSUER: 'https://as.example',
  OAUTH_AUDIENCE: 'https://mcp.example/mcp',
  OAUTH_JWKS_URI: 'https://as.example/jwks',
}
const WORKOS: Env = {
  AUTH_ENABLED: 'true',
  OAUTH_PROVIDER: 'workos',
  SERVER_PUBLIC_URL: 'https://mcp.example/mcp',
  OAUTH_AUTHKIT_DOMAIN: 'calm.authkit.app',
}
const without = (env: Env, ...names: readonly string[]): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))

describe('authentication', () => {
  it('is complete with public URL, issuer, audience and one source of keys', () => {
    expect(problemsOf(JWT)).toEqual([])
    expect(problemsOf({ ...without(JWT, 'OAUTH_JWKS_URI'), OAUTH_PUBLIC_KEY: PEM })).toEqual([])
  })

  it.each(['SERVER_PUBLIC_URL', 'OAUTH_ISSUER', 'OAUTH_AUDIENCE', 'OAUTH_JWKS_URI'])(
    'without %s says what is missing',
    (name) => {
      expect(problemsOf(without(JWT, name))).toEqual([
        expect.stringMatching(new RegExp(`^ARROWHEAD_${name}\\b.*must be set`)),
      ])
    },
  )

  it('that is only switched on names everything that is missing', () => {
    expect(problemsOf({ AUTH_ENABLED: 'true' })).toEqual([
      'ARROWHEAD_SERVER_PUBLIC_URL: must be set when ARROWHEAD_AUTH_ENABLED is true',
      'ARROWHEAD_OAUTH_ISSUER: must be set when ARROWHEAD_AUTH_ENABLED is true',
      'ARROWHEAD_OAUTH_AUDIENCE: must be set when ARROWHEAD_AUTH_ENABLED is true',
      'ARROWHEAD_OAUTH_JWKS_URI or ARROWHEAD_OAUTH_PUBLIC_KEY: one of them must be set when ARROWHEAD_AUTH_ENABLED is true',
    ])
  })

  it('names the switch as the operator wrote it', () => {
    expect(() => loadSettings({ flags: { '--auth-enabled': true } })).toThrow(
      'ARROWHEAD_OAUTH_ISSUER: must be set when --auth-enabled is true',
    )
  })

  it('has one source of keys, not two', () => {
    expect(problemsOf({ ...JWT, OAUTH_PUBLIC_KEY: PEM })).toEqual([expect.stringContaining('not both')])
  })

  it.each(['SERVER_PUBLIC_URL', 'OAUTH_ISSUER', 'OAUTH_JWKS_URI'])(
    'wants https for %s, but for this machine and named endpoints',
    (name) => {
      expect(problemsOf({ ...JWT, [name]: 'http://as.example/x' })).toEqual([
        expect.stringContaining(`ARROWHEAD_${name}: must be https`),
      ])
      expect(problemsOf({ ...JWT, [name]: 'http://127.0.0.1:9000/x' })).toEqual([])
      expect(problemsOf({ ...JWT, [name]: 'http://as.example/x', INTERNAL_ENDPOINTS: 'AS.example:80' })).toEqual([])
      expect(
        problemsOf({ ...JWT, [name]: 'http://as.example:81/x', INTERNAL_ENDPOINTS: 'as.example:80' }),
      ).toHaveLength(1)
      expect(problemsOf({ ...JWT, [name]: 'http://127.0.0.1.example/x' })).toHaveLength(1)
    },
  )
})

describe('the workos provider', () => {
  it.each(['calm.authkit.app', 'https://calm.authkit.app', 'https://calm.authkit.app/'])(
    'derives issuer, keys and audience from %s',
    (domain) => {
      const { values, sources } = load({ ...WORKOS, OAUTH_AUTHKIT_DOMAIN: domain })
      expect(values).toMatchObject({
        oauthIssuer: 'https://calm.authkit.app',
        oauthJwksUri: 'https://calm.authkit.app/oauth2/jwks',
        oauthAudience: 'https://mcp.example/mcp',
      })
      expect(['oauthIssuer', 'oauthJwksUri', 'oauthAudience'].map((key) => sources.get(key))).toEqual([
        'derived',
        'derived',
        'derived',
      ])
    },
  )

  it('keeps an audience that was set', () => {
    const { values, sources } = load({ ...WORKOS, OAUTH_AUDIENCE: 'client_1' })
    expect([values.oauthAudience, sources.get('oauthAudience')]).toEqual(['client_1', 'environment'])
  })

  it.each(['OAUTH_AUTHKIT_DOMAIN', 'SERVER_PUBLIC_URL'])('needs %s', (name) => {
    expect(problemsOf(without(WORKOS, name))).toEqual([expect.stringContaining(`ARROWHEAD_${name}: must be set`)])
  })

  it.each([
    ['OAUTH_ISSUER', 'https://as.example'],
    ['OAUTH_JWKS_URI', 'https://as.example/jwks'],
    ['OAUTH_PUBLIC_KEY', PEM],
  ])('refuses an %s beside it', (name, value) => {
    expect(problemsOf({ ...WORKOS, [name]: value })).toEqual([expect.stringContaining('leave them unset')])
  })

  it('does not take a domain over plain http', () => {
    expect(problemsOf({ ...WORKOS, OAUTH_AUTHKIT_DOMAIN: 'http://calm.authkit.app' })).toHaveLength(1)
  })
})

describe('HTTP without authentication', () => {
  it('is refused with both ways out', () => {
    const [problem = '', ...more] = problemsOf({ TRANSPORT: 'http' })
    expect(more).toEqual([])
    for (const name of ['TRANSPORT', 'AUTH_ENABLED', 'ALLOW_INSECURE_HTTP'])
      expect(problem).toContain(`ARROWHEAD_${name}`)
  })

  it.each([{ TRANSPORT: 'http', ALLOW_INSECURE_HTTP: 'true' }, { TRANSPORT: 'http', ...JWT }, { TRANSPORT: 'stdio' }])(
    'is not meant by %j',
    (env) => {
      expect(problemsOf(env)).toEqual([])
    },
  )
})

describe('settings that need each other', () => {
  it.each([
    [{ EXEC_RUNNER: 'container' }, 'EXEC_CONTAINER_IMAGE', 'image:1'],
    [{ EMBEDDING_PROVIDER: 'http' }, 'EMBEDDING_ENDPOINT', 'https://api.example/v1'],
    [{ LLM_PROVIDER: 'openai' }, 'LLM_ENDPOINT', 'http://127.0.0.1:11434/v1'],
    [{ LLM_PROVIDER: 'ollama' }, 'LLM_ENDPOINT', 'http://127.0.0.1:11434/api/chat'],
    [{ LLM_PROVIDER: 'anthropic' }, 'LLM_API_KEY', 'sk-x'],
  ])('%j needs %s', (env, name, value) => {
    expect(problemsOf(env)).toEqual([expect.stringContaining(`ARROWHEAD_${name}: must be set when`)])
    expect(problemsOf({ ...env, [name]: value })).toEqual([])
  })

  it('send no key in the clear to another machine', () => {
    const model = { LLM_PROVIDER: 'openai', LLM_ENDPOINT: 'http://models.lan:8080/v1' }
    expect(problemsOf(model)).toEqual([])
    expect(problemsOf({ ...model, LLM_API_KEY: 'k' })).toEqual([
      expect.stringContaining('ARROWHEAD_LLM_ENDPOINT: must be https'),
    ])
    expect(problemsOf({ ...model, LLM_API_KEY: 'k', LLM_INTERNAL_HOSTS: 'models.lan:8080' })).toEqual([])
    const embedding = { EMBEDDING_ENDPOINT: 'http://vectors.lan/v1', EMBEDDING_API_KEY: 'k' }
    expect(problemsOf(embedding)).toEqual([expect.stringContaining('ARROWHEAD_EMBEDDING_ENDPOINT: must be https')])
  })
})

describe('settings that bound each other', () => {
  it.each([
    ['VECTOR_INDEX_CHUNK_OVERLAP', '1499', '1500'],
    ['DOC_WRITE_MAX_BYTES', '50000000', '50000001'],
    ['EMBEDDING_DIMENSIONS', '2000', '2001'],
    ['HTTP_HEADER_TIMEOUT_SECONDS', '30', '30.5'],
    ['MAX_CONCURRENT_CALLS_PER_CALLER', '64', '65'],
    ['MEMORY_MAX_CONTENT_BYTES', '50000000', '50000001'],
    ['KV_MAX_VALUE_BYTES', '50000000', '50000001'],
    ['TASK_SCHEDULE_MIN_REPEAT_SECONDS', '86400', '86401'],
  ])('let %s be %s but not %s', (name, fits, exceeds) => {
    expect(problemsOf({ [name]: fits })).toEqual([])
    expect(problemsOf({ [name]: exceeds })).toEqual([
      expect.stringMatching(new RegExp(`^ARROWHEAD_${name}: must (not exceed|be less than) ARROWHEAD_`)),
    ])
  })
})
