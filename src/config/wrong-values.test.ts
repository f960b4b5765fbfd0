import { describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.ts'
import type { Kind } from './kinds.ts'
import { loadSettings } from './load-settings.ts'
import type { Sources } from './read-sources.ts'
import { SETTINGS } from './settings.ts'
import type { Setting } from './settings.ts'

const MARK = 'canary'

/** A text that no value of the kind is written as. Control characters are in no text setting; a NUL is even in no environment. */
const wrongText = ({ type }: Kind<unknown>): string =>
  type === 'json' ? `{"${MARK}"` : type === 'list' ? `${MARK} \u0007, ${MARK}` : `${MARK} \u0007`

/** A JSON value of a type that the kind never has. */
const wrongJson = ({ type }: Kind<unknown>): unknown =>
  type === 'text' || type === 'choice' || type === 'json' ? 7 : { [MARK]: MARK }

const failure = (from: Sources): ConfigError => {
  try {
    loadSettings(from)
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new TypeError('the settings were accepted')
}

const rows = SETTINGS.map((setting) => [setting.env, setting] as const)

describe('a wrong value', () => {
  it.each(rows)('of %s is answered, from each source, with its name and what is accepted', (_, setting) => {
    const { env, flag, key, kind } = setting
    const text = wrongText(kind)
    const spelled: readonly (readonly [Sources, string])[] = [
      [{ env: { [env]: text } }, env],
      [{ envFile: `${env}='${text}'` }, `${env} (in .env)`],
      [{ flags: { [flag]: text } }, flag],
      [{ file: JSON.stringify({ [key]: wrongJson(kind) }) }, `${key} (in the config file)`],
    ]
    for (const [from, name] of spelled) {
      const { problems, message } = failure(from)
      expect(problems).toEqual([`${name}: accepts ${kind.accepts}`])
      expect(message).not.toContain(MARK)
    }
  })

  it('of every setting at once is listed for every one', () => {
    const env = Object.fromEntries(SETTINGS.map((setting) => [setting.env, wrongText(setting.kind)]))
    const { problems, message } = failure({ env })
    expect(problems.map((line) => line.split(':')[0]).sort()).toEqual(SETTINGS.map((setting) => setting.env).sort())
    expect(message).not.toContain(MARK)
  })
})

const ranged = SETTINGS.flatMap((setting) =>
  setting.kind.range ? [[setting.env, setting, setting.kind.range] as const] : [],
)

describe('a number', () => {
  const step = ({ kind }: Setting): number => (kind.type === 'integer' ? 1 : 0.0001)

  it.each(ranged)('%s may be on either bound and not beyond', (env, setting, { min, max }) => {
    const schema = setting.kind.schema()
    expect([min, max].map((value) => schema.safeParse(value).success)).toEqual([true, true])
    for (const value of [min - step(setting), max + step(setting)]) {
      expect(failure({ env: { [env]: String(value) } }).problems).toEqual([`${env}: accepts ${setting.kind.accepts}`])
    }
    expect(setting.kind.accepts).toMatch(new RegExp(`from ${min} to ${max}\\b`))
  })
})

describe('an empty text', () => {
  const needsValue = SETTINGS.filter(
    ({ kind, fallback }) => kind.type !== 'list' && (fallback !== undefined || kind.blank === 'value'),
  )

  it.each(needsValue.map(({ env }) => env))('is wrong for %s', (env) => {
    expect(failure({ env: { [env]: '' } }).problems).toEqual([expect.stringMatching(new RegExp(`^${env}: accepts `))])
  })

  it('never switches a signing key off', () => {
    expect(needsValue.map(({ name }) => name)).toEqual(expect.arrayContaining(['AUDIT_KEY', 'STATE_KEY']))
  })
})
