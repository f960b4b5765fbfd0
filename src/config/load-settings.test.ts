import { describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.ts'
import { loadSettings } from './load-settings.ts'
import type { Sources } from './read-sources.ts'

const problemsOf = (from: Sources): readonly string[] => {
  try {
    loadSettings(from)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('precedence', () => {
  const all = {
    flags: { '--port': '1' },
    env: { ARROWHEAD_PORT: '2' },
    envFile: 'ARROWHEAD_PORT=3',
    file: '{"port": 4}',
  }
  const without = (...names: readonly (keyof typeof all)[]): Sources =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !names.some((left) => left === name)))

  it.each([
    [all, 1, 'flag'],
    [without('flags'), 2, 'environment'],
    [without('flags', 'env'), 3, '.env'],
    [without('flags', 'env', 'envFile'), 4, 'file'],
    [{}, 8000, 'default'],
  ] as const)('of %j gives port %i from %s', (from, port, source) => {
    const loaded = loadSettings(from)
    expect([loaded.values.port, loaded.sources.get('port')]).toEqual([port, source])
  })

  it('is decided setting by setting', () => {
    const { values } = loadSettings({ flags: { '--port': '1' }, env: { ARROWHEAD_PORT: '2', ARROWHEAD_HOST: '::1' } })
    expect([values.port, values.host]).toEqual([1, '::1'])
  })

  it('lets an empty text in a stronger source switch an optional setting off', () => {
    const loaded = loadSettings({ env: { ARROWHEAD_SQL_DSN: ' ' }, file: '{"sqlDsn": "postgresql://db.example/app"}' })
    expect([loaded.values.sqlDsn, loaded.sources.get('sqlDsn')]).toEqual([undefined, 'environment'])
  })

  it('ignores what is undefined', () => {
    expect(loadSettings({ flags: { '--port': undefined }, env: { ARROWHEAD_PORT: undefined } }).values.port).toBe(8000)
  })
})

describe('values', () => {
  it.each([
    ['true', true],
    ['1', true],
    ['Yes', true],
    ['ON', true],
    [' true ', true],
    ['false', false],
    ['0', false],
    ['no', false],
    ['Off', false],
  ])('%j is the boolean %s', (text, value) => {
    expect(loadSettings({ env: { ARROWHEAD_STATELESS_HTTP: text } }).values.statelessHttp).toBe(value)
  })

  it.each(['', '2', 'y', 'truee', 'null'])('%j is no boolean', (text) => {
    expect(problemsOf({ env: { ARROWHEAD_STATELESS_HTTP: text } })).toEqual([
      expect.stringContaining('accepts true or false'),
    ])
  })

  it.each(['', '1e3', '0x10', '080', '1_0', '10.0', '+5', 'Infinity', 'NaN'])('%j is no whole number', (text) => {
    expect(problemsOf({ env: { ARROWHEAD_PORT: text } })).toEqual([
      'ARROWHEAD_PORT: accepts a whole number from 1 to 65535',
    ])
  })

  it.each([
    ['0.5', 0.5],
    ['10', 10],
    ['10.0', 10],
  ])('%j is %d seconds', (text, value) => {
    expect(loadSettings({ env: { ARROWHEAD_FETCH_TIMEOUT_SECONDS: text } }).values.fetchTimeoutSeconds).toBe(value)
  })

  it('of ceilings are found by the name of the ceiling', () => {
    const { values, sources } = loadSettings({
      env: { ARROWHEAD_DOC_READ_PER_MINUTE: '7' },
      file: '{"kvGetPerMinute": 8}',
    })
    expect([values.perMinute.DOC_READ, values.perMinute.KV_GET, values.perMinute.RUN_TESTS]).toEqual([7, 8, 4])
    expect(sources.get('docReadPerMinute')).toBe('environment')
    expect(values.perMinute['constructor']).toBeUndefined()
  })

  it('of JSON are kept as text, and may be an object in the config file', () => {
    const text = '{"grants": []}'
    expect(loadSettings({ env: { ARROWHEAD_AUTHZ_POLICY: text } }).values.authzPolicy).toBe(text)
    expect(loadSettings({ file: `{"authzPolicy": ${text}}` }).values.authzPolicy).toBe('{"grants":[]}')
    expect(problemsOf({ env: { ARROWHEAD_AUTHZ_POLICY: '[]' } })).toHaveLength(1)
  })

  it('of a PEM key keep their line breaks, written out or not', () => {
    const pem = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'
    const keyFrom = (from: Sources) => loadSettings(from).values.oauthPublicKey
    expect(keyFrom({ env: { ARROWHEAD_OAUTH_PUBLIC_KEY: pem.replaceAll('\n', '\\n') } })).toBe(pem)
    expect(keyFrom({ envFile: `ARROWHEAD_OAUTH_PUBLIC_KEY="${pem}"` })).toBe(pem)
    expect(problemsOf({ env: { ARROWHEAD_OAUTH_PUBLIC_KEY: pem.replaceAll('PUBLIC', 'PRIVATE') } })).toHaveLength(1)
  })

  it('cannot be changed afterwards', () => {
    const { values } = loadSettings({ env: { ARROWHEAD_DISABLED_TOOLS: 'a' } })
    for (const part of [values, values.perMinute, values.disabledTools, values.docAllowedExtensions]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })
})

describe('a list', () => {
  const hosts = (from: Sources) => loadSettings(from).values.egressAllowedHosts

  it('that was never set is undefined, and one that was set to nothing is empty', () => {
    expect(hosts({})).toBeUndefined()
    const empties = [{ env: { ARROWHEAD_EGRESS_ALLOWED_HOSTS: '' } }, { file: '{"egressAllowedHosts": []}' }]
    const blanks = [{ envFile: 'ARROWHEAD_EGRESS_ALLOWED_HOSTS=' }, { flags: { '--egress-allowed-hosts': ' , ' } }]
    for (const from of [...empties, ...blanks]) expect(hosts(from)).toEqual([])
  })

  it('that is empty in a stronger source does not fall back to a weaker one', () => {
    expect(
      hosts({ env: { ARROWHEAD_EGRESS_ALLOWED_HOSTS: '' }, file: '{"egressAllowedHosts": ["a.example"]}' }),
    ).toEqual([])
  })

  it('with a default is emptied in the same way', () => {
    expect(loadSettings({ env: { ARROWHEAD_DOC_ALLOWED_EXTENSIONS: '' } }).values.docAllowedExtensions).toEqual([])
  })

  it('is split at commas in text and may be given by several flags', () => {
    expect(hosts({ env: { ARROWHEAD_EGRESS_ALLOWED_HOSTS: ' a.example ,,b.example,' } })).toEqual([
      'a.example',
      'b.example',
    ])
    expect(hosts({ flags: { '--egress-allowed-hosts': ['a.example,b.example', 'c.example'] } })).toHaveLength(3)
    expect(loadSettings({ env: { ARROWHEAD_EGRESS_ALLOWED_PORTS: '8443, 9000' } }).values.egressAllowedPorts).toEqual([
      8443, 9000,
    ])
  })

  it('is wrong as a whole when one item is', () => {
    expect(problemsOf({ env: { ARROWHEAD_EGRESS_ALLOWED_PORTS: '443,0' } })).toHaveLength(1)
    expect(problemsOf({ file: '{"egressAllowedPorts": ["443"]}' })).toHaveLength(1)
    expect(problemsOf({ file: '{"egressAllowedHosts": "a.example"}' })).toHaveLength(1)
  })
})

describe('a flag', () => {
  it('of a switch needs no value', () => {
    const flags = { '--dangerously-allow-insecure-http': true, '--stateless-http': false }
    expect(loadSettings({ flags }).values).toMatchObject({ dangerouslyAllowInsecureHttp: true, statelessHttp: false })
  })

  it.each([[{ '--port': true }], [{ '--port': ['1', '2'] }], [{ '--egress-allowed-hosts': true }]])(
    '%j is wrong',
    (flags) => {
      expect(problemsOf({ flags })).toEqual([expect.stringContaining(': accepts ')])
    },
  )
})

describe('an unknown name', () => {
  it.each([
    [{ env: { ARROWHEAD_PROT: '1' } }, 'ARROWHEAD_PROT: is not a setting; the nearest is ARROWHEAD_PORT'],
    [{ env: { arrowhead_port: '1' } }, 'arrowhead_port: is not a setting; the nearest is ARROWHEAD_PORT'],
    [{ envFile: 'ARROWHEAD_PROT=1' }, 'ARROWHEAD_PROT (in .env): is not a setting; the nearest is ARROWHEAD_PORT'],
    [{ flags: { '--prot': '1' } }, '--prot: is not a setting; the nearest is --port'],
    [
      { flags: { '--allow-insecure-http': true } },
      '--allow-insecure-http: is not a setting; the nearest is --dangerously-allow-insecure-http',
    ],
    [
      { file: '{"ARROWHEAD_JAIL_ROOT": "x"}' },
      'ARROWHEAD_JAIL_ROOT (in the config file): is not a setting; the nearest is jailRoot',
    ],
    [{ file: '{"__proto__": {"port": 1}}' }, '__proto__ (in the config file): is not a setting'],
    [{ env: { ARROWHEAD_ENTIRELY_DIFFERENT_THING: '1' } }, 'ARROWHEAD_ENTIRELY_DIFFERENT_THING: is not a setting'],
  ])('in %j is a problem', (from, problem) => {
    expect(problemsOf(from)).toEqual([problem])
  })

  it('is printed only when it is plain', () => {
    expect(problemsOf({ env: { 'ARROWHEAD_X\nforged: line': '1' } })).toEqual([
      expect.stringMatching(/^a name that cannot be printed: is not a setting/),
    ])
  })

  it('of another program is none of ours', () => {
    expect(problemsOf({ env: { PATH: '/bin', PORT: 'x' }, envFile: 'PORT=x' })).toEqual([])
    expect(problemsOf({ env: { ARROWHEAD_POSTGRES_TEST_URL: 'postgres://x' } })).toEqual([])
  })
})

describe('problems', () => {
  it('are all reported at once, each with the name as it was written', () => {
    const problems = problemsOf({
      flags: { '--port': '0' },
      env: { ARROWHEAD_TRANSPORT: 'carrier-pigeon', ARROWHEAD_NO: '1', ARROWHEAD_VECTOR_INDEX_CHUNK_OVERLAP: '1500' },
      envFile: 'ARROWHEAD_JSON_MAX_DEPTH=deep\nwhat is this\nARROWHEAD_HOST=a\nARROWHEAD_HOST=b',
      file: '{"docsRoot": 7, "docsRoof": 1}',
    })
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'docsRoof (in the config file)',
      'line 2 of .env',
      'ARROWHEAD_HOST (in .env)',
      'ARROWHEAD_NO',
      'docsRoot (in the config file)',
      'ARROWHEAD_JSON_MAX_DEPTH (in .env)',
      'ARROWHEAD_TRANSPORT',
      '--port',
      'ARROWHEAD_VECTOR_INDEX_CHUNK_OVERLAP',
    ])
  })

  it('include a wrong value that a stronger source would have replaced', () => {
    expect(problemsOf({ env: { ARROWHEAD_PORT: '1' }, file: '{"port": "x"}' })).toHaveLength(1)
  })

  it('of a setting hide the conflicts it would cause', () => {
    expect(problemsOf({ env: { ARROWHEAD_TRANSPORT: 'http', ARROWHEAD_AUTH_ENABLED: 'treu' } })).toHaveLength(1)
  })

  it('are all in the message of the error', () => {
    expect(new ConfigError(['a: x', 'b: y']).message).toBe('2 problems in the settings:\na: x\nb: y')
    expect(new ConfigError(['a: x']).message).toBe('1 problem in the settings:\na: x')
  })
})
