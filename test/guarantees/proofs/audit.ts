import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect } from 'vitest'
import { serveStdio } from '../../../src/doors/stdio/serve-stdio.ts'
import { openDatabase } from '../../../src/exits/disk/database.ts'
import type { AuditRow } from '../../../src/kernel/audit.ts'
import type { Request } from '../../../src/kernel/call.ts'
import { createSqliteTrail, verifyTrail } from '../../../src/services/audit/index.ts'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'

const tool = (name: string, args: unknown = {}): Request => ({ kind: 'tool', name, args })
const fails = (): never => {
  throw new Error('broken')
}

const TOOLS = [
  probe(), probe({ name: 'effect', effect: 'create' }), probe({ name: 'fails', run: fails }), probe({ name: 'effect_fails', effect: 'replace', run: fails }),
  probe({ name: 'effect_denied', effect: 'delete', level: 'DENIED' }), probe({ name: 'asks', level: 'CONFIRM' }), probe({ name: 'spent', perMinute: 1 }),
]

/** What is called, what it comes to, and the outcomes on record. */
const CALLS: readonly (readonly [Request, code: string, recorded: readonly AuditRow['outcome'][]])[] = [
  [tool('probe'), 'ok', ['ok']],
  [tool('effect'), 'ok', ['intent', 'ok']],
  [tool('fails'), 'fault', ['fault']],
  [tool('effect_fails'), 'fault', ['intent', 'fault']],
  [tool('effect_denied'), 'level.denied', ['refused']],
  [tool('asks'), 'consent.unavailable', ['refused']],
  [tool('probe', { wrong: 1 }), 'input.invalid', ['refused']],
  [tool('no_such'), 'component.unknown', ['refused']],
  [tool('spent'), 'ok', ['ok']],
  [tool('spent'), 'quota.spent', ['refused']],
  [tool('read_file', { path: 'none' }), 'file.unavailable', ['refused']],
  [{ kind: 'resource', uri: 'arrowhead://integrity' }, 'ok', ['ok']],
  [{ kind: 'resource', uri: 'no://such' }, 'component.unknown', ['refused']],
  [{ kind: 'prompt', name: 'no_such', args: {} }, 'component.unknown', ['refused']],
  [{ kind: 'completion', of: 'resource', name: 'arrowhead://integrity', argument: 'a', typed: '' }, 'ok', ['ok']],
  [{ kind: 'listing', of: 'tools' }, 'ok', ['ok']],
  [{ kind: 'listing', of: 'prompts', cursor: 'made up' }, 'input.invalid', ['refused']],
]

/** Messages that never become a call. */
const MESSAGES: readonly string[] = [
  'not json', '[]', '7', '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', '{"jsonrpc":"2.0","id":3,"method":"no/such"}',
  '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7}}', '{"jsonrpc":"2.0","method":"notifications/made-up"}', '{"jsonrpc":"2.0","id":5,"result":{}}',
]

export const audit: Area = (proves) => {
  proves('audit.one-record', 'every way that a call can end is on record once, in trail and log', async ({ open }) => {
    const { dispatch, rows, lines } = open({ options: { tools: TOOLS } })
    for (const [request, code, recorded] of CALLS) {
      const before = rows.length
      if (codeOf(await dispatch(request)) !== code) throw new Error(`not ${code}`)
      const made = rows.slice(before)
      expect(made.map(({ outcome }) => outcome)).toEqual(recorded)
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    }
    const asked = await dispatch(tool('asks'), undefined, { door: 'library', takesQuestions: true, capabilities: { elicitation: {} } })
    expect([asked.is, rows.at(-1)?.outcome, rows.at(-2)?.outcome]).toEqual(['ask', 'ask', 'refused'])
    const logged = lines.filter(({ event }) => event === 'call').map(({ id, outcome }) => [id, outcome])
    expect(logged).toEqual(rows.map(({ id, outcome }) => [id, outcome]))
  })

  proves('audit.shapes', 'neither values nor made-up names are on record', async ({ open }) => {
    const { call, dispatch, rows, lines } = open({ options: { tools: [probe({ run: fails })] } })
    for (const args of [{ text: 'ZXQV' }, { ZXQV: 1 }, { text: { ZXQV: 'ZXQV' } }, 'ZXQV', ['ZXQV']]) await call('probe', args)
    for (const name of ['ZXQV', 'read_file']) await call(name, { path: 'ZXQV' })
    for (const uri of ['ZXQV://x', 'arrowhead://integrity?ZXQV']) await dispatch({ kind: 'resource', uri })
    await dispatch({ kind: 'completion', of: 'prompt', name: 'ZXQV', argument: 'ZXQV', typed: 'ZXQV' })
    expect(rows).toHaveLength(10)
    expect(rows[0]?.args).toBe('{text: string(4)}')
    expect(JSON.stringify([rows, lines])).not.toContain('ZXQV')
  })

  proves('audit.door-events', 'each message that never became a call is on record once', async ({ open }) => {
    const { app, rows } = open()
    const [input, output] = [new PassThrough(), new PassThrough()]
    const door = serveStdio({ app, version: '0', input, output: output.resume(), parent: () => 1 })
    input.end(`${MESSAGES.join('\n')}\n`)
    await door.ended
    expect(rows.map(({ kind }) => kind)).toEqual(MESSAGES.map(() => 'message'))
    expect(rows.filter(({ outcome }) => outcome === 'refused')).toHaveLength(MESSAGES.length - 1)
  })

  proves('audit.tampering', 'a changed row and a missing row are both found', async ({ folder }) => {
    for (const harm of [`UPDATE audit SET body = replace(body, '"ann"', '"bob"') WHERE seq = 2`, 'DELETE FROM audit WHERE seq = 2']) {
      const file = join(folder(), 'audit.sqlite')
      const trail = createSqliteTrail({ file, onError: fails })
      for (const id of ['a', 'b', 'c']) trail.append({ id, at: 1, door: 'library', kind: 'tool', component: 'probe', caller: 'ann', args: '', outcome: 'ok', code: '', reason: '', ms: 1, trace: '' })
      await trail.close()
      expect(verifyTrail({ file })).toMatchObject({ ok: true, rows: 3 })
      const database = openDatabase(file)
      for (const { name } of database.all("SELECT name FROM sqlite_master WHERE type = 'trigger'")) database.run(`DROP TRIGGER "${String(name)}"`)
      database.run(harm)
      database.close()
      expect(verifyTrail({ file })).toMatchObject({ ok: false, seq: 2 })
    }
  })
}
