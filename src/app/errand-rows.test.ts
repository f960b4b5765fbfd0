/** What the audit says of an assistant's calls, through the real chain: values without credentials, one row and one line each. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteTrail, readTrail, verifyTrail } from '../services/audit/index.ts'
import { defineTool } from '../kernel/tool.ts'
import { testApp } from '../testing/index.ts'

const SECRET = ['OxGtAYL', 'nnqTqHa', 'PtdqAFW', 'pNLrLwd', 'tFCsFIX', 'x'].join('')

const take = defineTool({
  name: 'take', title: 'Take', summary: 'Takes anything.', scope: 'world:use', level: 'SAFE', effect: 'create', idempotent: true, openWorld: false, perMinute: 1_000, uses: [],
  input: z.strictObject({ x: z.json() }), output: z.strictObject({ done: z.boolean() }), examples: [{ title: 'One', input: { x: 1 } }],
  touches: () => [], run: () => ({ done: true }),
})

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'arrowhead-errand-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Makes one call as an assistant does, and gives what stands of it in the trail's file and the log. */
async function recorded(x: unknown, text = 'do it', name = 'take', subject?: string) {
  const file = join(folder, 'audit.sqlite')
  const lines: string[] = []
  const { app } = testApp({ options: { tools: [take], log: (line) => lines.push(line) > 0, replace: { trail: createSqliteTrail({ file, onError: () => undefined }) } } })
  await app.dispatch({ kind: 'tool', name, args: { x } }, subject === undefined ? app.local : app.callerOf(subject, ['world:use']), { door: 'cli', errand: { id: 'r-1', text } })
  await app.close()
  expect(verifyTrail({ file })).toMatchObject({ ok: true })
  const rows = readTrail({ file, limit: 10 }).map(({ row }) => row)
  return { rows, lines, all: readFileSync(file, 'latin1') + lines.join('\n') }
}

describe('neither the trail nor the log holds', () => {
  it.each<[string, unknown, string]>([
    ['a password deep in an argument', { nested: { deep: [{ password: SECRET }] } }, SECRET],
    ['a bearer header', { Authorization: `Bearer ${SECRET}` }, SECRET],
    ['a basic header', { authorization: `Basic ${SECRET}` }, SECRET],
    ['a token in a query', { url: `https://h.example/?access_token=${SECRET}` }, SECRET],
    ['a connection text', { error: `connect failed: postgres://u:${SECRET}@db/x` }, SECRET],
    ['a token', { text: `key: ghp_${SECRET}` }, SECRET],
    ['a card number', { card: '4111 1111 1111 1111' }, '4111 1111'],
    ['a secret in JSON inside a text', { json: `{"api_key":"${SECRET}"}` }, SECRET],
    ['a token in base64', { b64: btoa(SECRET) }, btoa(SECRET)],
    ['a token in base64 where a long text is cut', { pad: 'x '.repeat(480), b64: btoa(SECRET) }, btoa(SECRET).slice(0, 8)],
    ['the text of a stack', { stack: `at f (token=${SECRET})` }, SECRET],
    ['a secret where a long text is cut', { pad: 'x'.repeat(99_900), password: `${SECRET}${SECRET}` }, SECRET.slice(0, 12)],
  ])('%s', async (_what, x, secret) => {
    const { all, rows } = await recorded(x)
    expect(all).not.toContain(secret)
    expect(rows.at(-1)?.errand?.values).not.toBe('')
  })

  it('a password that the person wrote in the request', async () => {
    expect((await recorded(1, `log in with password: ${SECRET}`)).all).not.toContain(SECRET)
  })
})

describe('a call of an assistant', () => {
  it('leaves its row with request, motive, level, word of a person, status and values', async () => {
    const { rows } = await recorded('plain')
    expect(rows).toMatchObject([
      { outcome: 'intent', errand: { request: 'r-1', status: '' } },
      { component: 'take', outcome: 'ok', errand: { request: 'r-1', motive: 'do it', level: 'SAFE', confirmed: false, status: 'success', values: '{"x":"plain"}' } },
    ])
  })

  it.each(['line1\nlevel=info msg="forged"', 'a\r\nb', 'a\u2028b', '"},{"event":"forged"', '\u202eabc\u001b[2K', 'x'.repeat(5_000_000)])('stays one line whatever its arguments hold', async (x) => {
    const { lines, rows } = await recorded(x, `why: ${x.slice(0, 1_000)}`)
    expect(rows).toHaveLength(2)
    for (const line of lines) {
      expect(line.length).toBeLessThan(40_000)
      expect(line).not.toMatch(/[\n\r\u2028\u202e\u001b]/)
      expect(JSON.parse(line)).toMatchObject({ component: 'take', request: 'r-1' })
    }
    expect(rows.at(-1)?.errand?.motive.length).toBeLessThanOrEqual(500)
    expect(rows.at(-1)?.errand?.values.length).toBeLessThanOrEqual(1_000)
  })

  it.each(['ann', 'local'])('leaves no values where its caller is a token’s subject: %s', async (subject) => {
    const { rows, all } = await recorded('plain', 'do it', 'take', subject)
    expect(rows.map(({ errand }) => errand?.values)).toEqual(['', ''])
    expect(all).not.toContain('plain')
  })

  it('of a made-up tool says no more of its name than that it is unknown', async () => {
    const { rows, all } = await recorded(1, 'do it', 'x" allowed="true')
    expect(rows).toMatchObject([{ component: 'unknown', errand: { status: 'unknown_tool' } }])
    expect(all).not.toContain('allowed=')
  })
})
