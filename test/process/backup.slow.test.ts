/** Backup and restore as an operator does them: the executable, while a server writes, then a fresh place that answers. */

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlace, type Place, run } from './child.ts'

let old: Place
let fresh: Place
beforeAll(async () => {
  old = makePlace()
  fresh = makePlace()
  mkdirSync(join(old.cwd, 'documents'))
  const grants = { grants: [{ subject: '*', actions: ['read', 'search', 'write', 'query', 'ingest'], kinds: ['document', 'prefix', 'memory', 'table'], prefix: '' }] }
  for (const place of [old, fresh]) writeFileSync(join(place.cwd, '.env'), `ARROWHEAD_AUTHZ_POLICY=${JSON.stringify(grants)}\n`)
  for (const [tool, args] of WRITES) await done(old, tool, args)
})
afterAll(() => {
  old?.remove()
  fresh?.remove()
})

const WRITES: readonly (readonly [tool: string, args: object])[] = [
  ['doc_write', { path: 'local/plan.md', content: '# Plan\n\nThe bridge opens in May.\n' }],
  ['memory_store', { namespace: 'facts', content: 'The key of the shed hangs behind the door.' }],
  ['kv_set', { key: 'colour', value: 'blue' }],
  ['workingset_update', { name: 'bridge', action: 'pin', items: [{ kind: 'doc', identifier: 'local/plan.md' }] }],
  ['task_schedule', { delay_seconds: 3600, payload: { remind: 'bridge' } }],
]

async function done(place: Place, tool: string, args: object): Promise<string> {
  const { code, out, err } = await run(place, ['tools', 'call', tool, JSON.stringify(args)])
  expect({ tool, code, err: code === 0 ? '' : err }).toEqual({ tool, code: 0, err: '' })
  return out
}

describe('a backup', () => {
  test('is made while calls are, and is put back into a place that answers as the old one does', async () => {
    const copy = join(old.cwd, 'copy')
    const [made] = await Promise.all([run(old, ['backup', copy, '--json']), done(old, 'calculate', { expression: '1+1' }), done(old, 'kv_set', { key: 'other', value: '1' })])
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(made.out)).toMatchObject({ files: expect.any(Number) })
    expect(statSync(join(copy, 'backup.json')).mode & 0o777).toBe(0o600)

    expect(await run(fresh, ['restore', copy])).toMatchObject({ code: 0, err: '' })
    expect(await run(fresh, ['audit', 'verify'])).toMatchObject({ code: 0, out: expect.stringMatching(/^whole: \d+ rows/) })
    expect(await done(fresh, 'doc_search', { query: 'bridge' })).toContain('plan.md')
    expect(await done(fresh, 'memory_search', { namespace: 'facts', query: 'shed key' })).toContain('behind the door')
    expect(await done(fresh, 'kv_get', { key: 'colour' })).toContain('blue')
    expect(await done(fresh, 'workingset_get', { name: 'bridge' })).toContain('plan.md')
    expect(await done(fresh, 'task_list', {})).toContain('scheduled')
  })

  test('with the embedded database brings its collections along', async () => {
    await done(old, 'doc_index', { collection: 'doc_chunks' })
    const copy = join(old.cwd, 'with-database')
    expect(await run(old, ['backup', copy])).toMatchObject({ code: 0, err: '' })
    const third = makePlace()
    try {
      writeFileSync(join(third.cwd, '.env'), readFileSync(join(old.cwd, '.env')))
      expect(await run(third, ['restore', copy])).toMatchObject({ code: 0, err: '' })
      expect(await done(third, 'vector_query', { collection: 'doc_chunks', query: 'when does the bridge open' })).toContain('May')
    } finally {
      third.remove()
    }
  })

  test('is not put over what is there, nor put back when it is not whole', async () => {
    const copy = join(old.cwd, 'copy')
    expect(await run(fresh, ['restore', copy])).toMatchObject({ code: 1, err: expect.stringContaining('not empty') })
    expect(await run(old, ['backup', copy])).toMatchObject({ code: 1, err: expect.stringContaining('not empty') })
    expect(await run(old, ['backup', join(old.dataDir, 'inside')])).toMatchObject({ code: 1, err: expect.stringContaining('outside') })
    const { files } = JSON.parse(readFileSync(join(copy, 'backup.json'), 'utf8')) as { readonly files: readonly { readonly path: string }[] }
    const [first] = files
    writeFileSync(join(copy, first?.path ?? ''), 'changed')
    const empty = makePlace()
    try {
      expect(await run(empty, ['restore', copy])).toMatchObject({ code: 1, err: expect.stringContaining('not whole') })
      writeFileSync(join(copy, 'backup.json'), JSON.stringify({ format: 1, files: [{ path: 'data/../../escape', bytes: 1, sha256: '0'.repeat(64) }] }))
      expect(await run(empty, ['restore', copy])).toMatchObject({ code: 1, err: expect.stringContaining('backup.json') })
      expect(existsSync(empty.dataDir)).toBe(false)
    } finally {
      empty.remove()
    }
  })
})
