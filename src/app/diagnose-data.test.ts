import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { loadSettings } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { diagnoseCollections, diagnoseSql } from './diagnose-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'arrowhead-doctor-data-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const settings = (more: object): Settings => loadSettings({ file: JSON.stringify(more) }).values

it('says that the embedded database is asked where none is named, and makes none for the question', async () => {
  expect(await diagnoseSql(settings({}))).toMatchObject({ state: 'ok' })
  expect(await diagnoseCollections(settings({}), join(folder, 'empty'))).toMatchObject({ state: 'ok', what: expect.stringContaining('first used') })
})

it('asks a database that is named, and says where none is', async () => {
  writeFileSync(join(folder, 'own.sqlite'), '')
  expect(await diagnoseSql(settings({ sqlDsn: `sqlite:///${join(folder, 'own.sqlite')}` }))).toMatchObject({ state: 'ok', what: expect.stringContaining('sqlite') })
  expect(await diagnoseSql(settings({ sqlDsn: `sqlite:///${join(folder, 'none.sqlite')}` }))).toMatchObject({ state: 'fail', next: expect.stringContaining('ARROWHEAD_SQL_DSN') })
  expect(await diagnoseSql(settings({ sqlDsn: 'postgresql://nobody@127.0.0.1:1/none' }))).toMatchObject({ state: 'fail' })
})

it('says that the server of the collections does not answer', async () => {
  expect(await diagnoseCollections(settings({ sqlDsn: 'postgresql://nobody@127.0.0.1:1/none', pgvectorCollections: ['handbook'] }), folder)).toMatchObject({ state: 'fail', next: expect.stringContaining('ARROWHEAD_SQL_DSN') })
})
