/** Runs one scenario of the audit: a call of a local assistant with what the line holds, and what rows and log lines say of it afterwards. */

import * as z from 'zod'
import { defineTool } from '../../src/index.ts'
import { testApp } from '../../src/testing/index.ts'
import type { Case, Verdict } from './case.ts'

type Json = Parameters<typeof JSON.stringify>[0]

export type AuditCase = Case<Readonly<Record<string, Json>>> & { readonly secretParts?: readonly string[] }

const MAX_LINE_CHARS = 20_000

const take = defineTool({
  name: 'take', title: 'Take', summary: 'Takes anything.', scope: 'world:use', level: 'SAFE', effect: 'create', idempotent: true, openWorld: false, perMinute: 1_000, uses: [], examples: [],
  input: z.strictObject({ x: z.json() }), output: z.strictObject({ done: z.boolean() }), touches: () => [], run: () => ({ done: true }),
})

/** Texts in parts are joined, and long ones are made. */
function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 1 && value.every((one) => typeof one === 'string') ? value.join('') : value.map(whole)
  if (typeof value !== 'object' || value === null) return value
  if ('repeat' in value && 'times' in value) return String(value.repeat).repeat(Number(value.times))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, whole(one)]))
}

const leaves = (value: unknown): readonly string[] => (typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)])

/** What must not be found: the secret where the line holds it, otherwise the values themselves. */
function secretsOf(x: unknown, parts: readonly string[]): readonly string[] {
  const secret = parts.join('')
  const holds = leaves(x).some((leaf) => leaf.includes(secret))
  return holds ? [secret] : leaves(x)
}

export async function runAuditCase({ input, expect, secretParts = [] }: AuditCase): Promise<Verdict> {
  const { tool = 'take', call, argument, ...rest } = input
  const x = whole(argument ?? rest)
  const encoded = typeof x === 'object' && x !== null && 'b64' in x ? { b64: btoa(secretParts.join('')) } : x
  const [name, args] = typeof call === 'string' ? [call, argument] : [String(tool), { x: encoded }]
  const log: string[] = []
  const { app, rows } = testApp({ options: { tools: [take], log: (line) => log.push(line) > 0 } })
  await app.dispatch({ kind: 'tool', name, args }, app.local, { door: 'cli', errand: { id: 'request-1', text: 'do it' } })
  await app.close()
  const all = JSON.stringify(rows) + log.join('\n')
  const isWellFormed = rows.length > 0 && log.every((line) => !/[\n\r\u2028\u2029\0]/.test(line) && line.length < MAX_LINE_CHARS && isObject(line)) && log.length <= rows.length + 1
  if (!isWellFormed) return { right: false, got: 'the rows or lines are not well-formed' }
  if (expect === 'redact') return tells(secretsOf(encoded, secretParts).every((one) => !all.includes(one) && !all.includes(JSON.stringify(one).slice(1, -1))), 'redact')
  if (expect === 'strip') return { right: true, got: 'strip' }
  // Of values that are shapes to the log, the trail's own row of a local call still shows what was asked for.
  const said = argument === undefined ? all : rows.map(({ errand }) => errand?.values ?? '').join('\n')
  return tells(argument === undefined || leaves(x).every((leaf) => said.includes(JSON.stringify(leaf).slice(1, -1))), 'allow')
}

const tells = (isSo: boolean, got: string): Verdict => ({ right: isSo, got: isSo ? got : 'something else' })

function isObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
