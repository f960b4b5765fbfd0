import { describe, expect, expectTypeOf, it } from 'vitest'
import { camelCase, kebabCase } from './setting.ts'
import { ENV_PREFIX, SETTINGS } from './settings.ts'
import type { Settings } from './settings.ts'
import { RATE_DEFAULTS } from './settings/rates.ts'

const named = (name: string) => SETTINGS.find((setting) => setting.name === name)

describe('the names of a setting', () => {
  it('are derived from one', () => {
    expect(named('JAIL_ROOT')).toMatchObject({ env: 'ARROWHEAD_JAIL_ROOT', flag: '--jail-root', key: 'jailRoot' })
    expect(named('HYBRID_RRF_K')).toMatchObject({ flag: '--hybrid-rrf-k', key: 'hybridRrfK' })
    expect([camelCase('A_B2_C'), kebabCase('A_B2_C')]).toEqual(['aB2C', 'a-b2-c'])
  })

  it('spell danger in flags and files, while the environment name stays', () => {
    expect(named('ALLOW_INSECURE_HTTP')).toMatchObject({
      env: 'ARROWHEAD_ALLOW_INSECURE_HTTP',
      flag: '--dangerously-allow-insecure-http',
      key: 'dangerouslyAllowInsecureHttp',
    })
  })

  it('are each used once', () => {
    for (const field of ['env', 'flag', 'key'] as const) {
      expect(new Set(SETTINGS.map((setting) => setting[field])).size).toBe(SETTINGS.length)
    }
    for (const { env } of SETTINGS) expect(env).toMatch(new RegExp(`^${ENV_PREFIX}[A-Z][A-Z0-9_]*$`))
  })
})

describe('every setting', () => {
  it.each(SETTINGS.map((setting) => [setting.env, setting] as const))(
    '%s has one sentence and a valid default',
    (_, setting) => {
      const { says, risk = 'It does.', kind, fallback } = setting
      for (const sentence of [says, risk]) expect(sentence).toMatch(/^[A-Z][^\n]*\.$/)
      expect(says.slice(0, -1)).not.toMatch(/[.!?] [A-Z]/)
      if (fallback !== undefined) expect(kind.schema().safeParse(fallback).success).toBe(true)
    },
  )

  it('that is a list without a default says what unset and what empty means', () => {
    const lists = SETTINGS.filter(({ kind }) => kind.type === 'list')
    for (const { env, says } of lists)
      expect([env, /unset/i.test(says), /empty/i.test(says)]).toEqual([env, true, true])
  })

  it('that is dangerous is an off switch with a risk', () => {
    for (const { dangerously, fallback, risk } of SETTINGS) {
      if (dangerously) expect([fallback, typeof risk]).toEqual([false, 'string'])
    }
  })
})

describe('the ceilings', () => {
  it('are a setting each', () => {
    for (const { name, perMinute } of RATE_DEFAULTS) {
      expect(named(`${name}_PER_MINUTE`)).toMatchObject({ rate: name, fallback: perMinute })
    }
  })
})

describe('the settings as a type', () => {
  it('have the value types of their declarations', () => {
    expectTypeOf<Settings['port']>().toEqualTypeOf<number>()
    expectTypeOf<Settings['transport']>().toEqualTypeOf<'stdio' | 'http'>()
    expectTypeOf<Settings['jailRoot']>().toEqualTypeOf<string>()
    expectTypeOf<Settings['sqlDsn']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Settings['egressAllowedPorts']>().toEqualTypeOf<readonly number[] | undefined>()
    expectTypeOf<Settings['docAllowedExtensions']>().toEqualTypeOf<readonly string[]>()
    expectTypeOf<Settings['dangerouslyAllowInsecureHttp']>().toEqualTypeOf<boolean>()
    expectTypeOf<Settings['perMinute']['SAFE_FETCH']>().toEqualTypeOf<number>()
    expectTypeOf<Settings>().not.toHaveProperty('allowInsecureHttp')
    expectTypeOf<Settings>().not.toHaveProperty('safeFetchPerMinute')
  })
})
