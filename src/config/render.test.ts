import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { loadSettings } from './load-settings.ts'
import { parseDotenv } from './parse-dotenv.ts'
import { renderEnvExample } from './render-env-example.ts'
import { renderJsonSchema } from './render-json-schema.ts'
import { renderReference } from './render-reference.ts'
import { SETTINGS } from './settings.ts'

describe('the example file', () => {
  it('sets nothing as it stands', () => {
    expect(parseDotenv(renderEnvExample())).toEqual({ entries: [], problems: [] })
  })

  it('names every setting once and, with the defaults uncommented, changes nothing', () => {
    const lines = renderEnvExample()
      .split('\n')
      .filter((line) => /^# ARROWHEAD_\w+=/.test(line))
    expect(lines.map((line) => /\w+/.exec(line)?.[0]).sort()).toEqual(SETTINGS.map(({ env }) => env).sort())
    const envFile = lines
      .filter((line) => !line.endsWith('='))
      .map((line) => line.slice(2))
      .join('\n')
    expect(loadSettings({ envFile }).values).toEqual(loadSettings({}).values)
    expect(loadSettings({ envFile }).sources.get('port')).toBe('.env')
  })
})

describe('the reference page', () => {
  const page = renderReference()

  it('has one row of four cells per setting, with all three names, the sentence and the risk', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'))
    expect(rows).toHaveLength(SETTINGS.length)
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(6)
    for (const { env, flag, key, says, risk = '' } of SETTINGS) {
      const row = rows.find((line) => line.includes(`\`${env}\``)) ?? ''
      for (const part of [`\`${flag}\``, `\`${key}\``, says.slice(0, 20), risk.slice(0, 20)])
        expect(row).toContain(part)
    }
  })
})

const schemaShape = z.object({
  $schema: z.string(),
  additionalProperties: z.literal(false),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
})

describe('the JSON Schema', () => {
  const schema = schemaShape.parse(JSON.parse(renderJsonSchema()))

  it('is draft 2020-12, closed, and has a described property per setting', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(Object.keys(schema.properties).sort()).toEqual(['$schema', ...SETTINGS.map(({ key }) => key)].sort())
    for (const { key, says } of SETTINGS) expect(schema.properties[key]?.['description']).toContain(says)
  })

  it('carries types, bounds and defaults', () => {
    expect(schema.properties['port']).toMatchObject({ type: 'integer', minimum: 1, maximum: 65_535, default: 8000 })
    expect(schema.properties['transport']).toMatchObject({ enum: ['stdio', 'http'], default: 'stdio' })
    expect(schema.properties['egressAllowedPorts']).toMatchObject({ type: 'array', items: { type: 'integer' } })
    expect(schema.properties['authzPolicy']).toMatchObject({ anyOf: [{ type: 'object' }, { type: 'string' }] })
  })

  it('accepts a config file made of the defaults, by its own reading', () => {
    const reading = z.fromJSONSchema(JSON.parse(renderJsonSchema()))
    const defaults = Object.fromEntries(
      SETTINGS.filter(({ fallback }) => fallback !== undefined).map(({ key, fallback }) => [key, fallback]),
    )
    expect(reading.safeParse(defaults).success).toBe(true)
    expect(reading.safeParse({ ...defaults, port: 0 }).success).toBe(false)
    expect(reading.safeParse({ ...defaults, prot: 1 }).success).toBe(false)
  })
})
