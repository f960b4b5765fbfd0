import { describe, expect, it } from 'vitest'
import { announceRisks, explainSettings } from './explain-settings.ts'
import { loadSettings } from './load-settings.ts'
import { secretValues } from './secret-values.ts'
import { SETTINGS } from './settings.ts'

const rowOf = (name: string, env: Record<string, string>) =>
  explainSettings(loadSettings({ env })).find((row) => row.name === name)

/** One valid value per secret, each holding a word that occurs nowhere else. */
const SECRETS: Readonly<Record<string, string>> = {
  ARROWHEAD_SQL_DSN: 'postgresql://reader:canary-sql@db.example/app',
  ARROWHEAD_VECTOR_WRITE_DSN: 'postgresql://writer:canary-vec%21@db.example/app',
  ARROWHEAD_MEMORY_DSN: 'postgresql://memory:canary-mem@db.example/app',
  ARROWHEAD_DOCS_S3_ACCESS_KEY_ID: 'canary-s3-key-id',
  ARROWHEAD_DOCS_S3_SECRET_ACCESS_KEY: 'canary-s3-secret',
  ARROWHEAD_REDIS_URL: 'redis://:canary-redis@cache.example:6379',
  ARROWHEAD_EMBEDDING_API_KEY: 'canary-embedding',
  ARROWHEAD_LLM_API_KEY: 'canary-llm',
  ARROWHEAD_OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary-otel,authorization=Bearer%20canary-bearer',
  ARROWHEAD_API_TOKEN: 'canary-api-0123456789-0123456789abcd',
  ARROWHEAD_AUDIT_KEY: 'canary-audit-0123456789-0123456789',
  ARROWHEAD_STATE_KEY: 'canary-state-0123456789-0123456789',
}

describe('an explanation', () => {
  it('has one row per setting, each with a sentence', () => {
    const rows = explainSettings(loadSettings({}))
    expect(rows.map(({ name }) => name)).toEqual(SETTINGS.map(({ env }) => env))
    expect(rows.every(({ source, sentence }) => source === 'default' && sentence.length > 10)).toBe(true)
  })

  it('tells unset from empty and shows where a value came from', () => {
    const name = 'ARROWHEAD_EGRESS_ALLOWED_HOSTS'
    expect(rowOf(name, {})).toMatchObject({ value: '(unset)', source: 'default' })
    expect(rowOf(name, { [name]: '' })).toMatchObject({ value: '(empty)', source: 'environment' })
    expect(rowOf(name, { [name]: 'a.example, b.example' })).toMatchObject({ value: 'a.example,b.example' })
    expect(rowOf('ARROWHEAD_DOC_READ_PER_MINUTE', { ARROWHEAD_DOC_READ_PER_MINUTE: '7' })).toMatchObject({ value: '7' })
  })

  it('knows every secret setting', () => {
    expect(
      SETTINGS.filter(({ secret }) => secret)
        .map(({ env }) => env)
        .sort(),
    ).toEqual(Object.keys(SECRETS).sort())
  })

  it('says only that a secret is set', () => {
    const rows = explainSettings(loadSettings({ env: SECRETS }))
    for (const name of Object.keys(SECRETS)) expect(rows.find((row) => row.name === name)?.value).toBe('(set)')
    expect(JSON.stringify(rows)).not.toContain('canary')
  })
})

describe('the secrets to keep out of answers', () => {
  it('are the whole values, the passwords inside connections and the values of headers', () => {
    const found = secretValues(loadSettings({ env: SECRETS }).values)
    const parts = ['canary-sql', 'canary-vec!', 'canary-vec%21', 'canary-redis', 'canary-otel', 'Bearer canary-bearer']
    expect(found).toEqual(expect.arrayContaining([...parts, 'canary-llm', SECRETS['ARROWHEAD_SQL_DSN']]))
    expect(found).not.toContain('')
  })

  it('are none when nothing secret is set', () => {
    expect(secretValues(loadSettings({}).values)).toEqual([])
  })
})

describe('the risks to announce', () => {
  it('are none for the defaults, nor for empty lists', () => {
    expect(announceRisks(loadSettings({}))).toEqual([])
    expect(announceRisks(loadSettings({ env: { ARROWHEAD_LLM_INTERNAL_HOSTS: '' } }))).toEqual([])
  })

  it.each([
    ['ARROWHEAD_ALLOW_INSECURE_HTTP', 'true'],
    ['ARROWHEAD_EXEC_ENABLED', 'true'],
    ['ARROWHEAD_RATE_LIMIT_ENABLED', 'false'],
    ['ARROWHEAD_REQUIRE_WRITE_CONFIRMATION', 'false'],
    ['ARROWHEAD_LLM_INTERNAL_HOSTS', '127.0.0.1:11434'],
    ['ARROWHEAD_REPO_EXCLUDED_DIRS', ''],
  ])('include %s=%s', (name, value) => {
    expect(announceRisks(loadSettings({ env: { [name]: value } }))).toEqual([expect.stringContaining(`${name}: `)])
  })
})
