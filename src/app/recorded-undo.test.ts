/** Taking back what a request changed, and the record of it. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { openMachine } from '../tools/files/machine.fixture.ts'
import type { Machine } from '../tools/files/machine.fixture.ts'
import { refusal } from '../kernel/refusal.ts'
import { recordedUndo } from './recorded-undo.ts'
import { takeBack, listRuns } from './undo-report.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

const as = (id: string, text = 'do it') => ({ errand: { id, text } })
const write = (path: string, content: string, id: string) => machine.call('write_file', { path, content }, 'agrees', as(id))
const undoRows = () => machine.app.rows.filter(({ component }) => component === 'undo')

it('takes back all that one request changed and nothing of another', async () => {
  await write('a.md', 'a', 'r-1')
  await write('notes/todo.md', 'other', 'r-1')
  machine.app.clock.pass(5)
  await write('b.md', 'b', 'r-2')
  expect((await machine.app.app.undo.undo('r-1', 'cli')).changes.map(({ state }) => state)).toEqual(['restored', 'restored'])
  expect([machine.text('a.md'), machine.text('notes/todo.md'), machine.text('b.md')]).toEqual([undefined, 'buy milk\ncall the bank\n', 'b'])
})

it('is on record before and after, under the request and with the places', async () => {
  await write('a.md', 'a', 'r-1')
  await machine.app.app.undo.undo('r-1', 'cli')
  expect(undoRows()).toMatchObject([
    { door: 'cli', outcome: 'intent', errand: { request: 'r-1', status: '', confirmed: true } },
    { door: 'cli', outcome: 'ok', errand: { request: 'r-1', status: 'success', values: expect.stringContaining('a.md') } },
  ])
  expect(new Set(undoRows().map(({ id }) => id)).size).toBe(1)
})

it('says on record that something was left alone', async () => {
  await write('a.md', 'a', 'r-1')
  machine.put('a.md', 'theirs')
  await machine.app.app.undo.undo()
  expect(undoRows().at(-1)).toMatchObject({ reason: 'left', errand: { status: 'error' } })
  expect(machine.text('a.md')).toBe('theirs')
})

it('refuses what is no run before anything is on record', async () => {
  await expect(machine.app.app.undo.undo('r-none')).rejects.toMatchObject({ code: 'undo.missing' })
  await expect(machine.app.app.undo.undo()).rejects.toMatchObject({ code: 'undo.missing' })
  expect(undoRows()).toEqual([])
})

it('does nothing where nothing can take the record', async () => {
  await write('a.md', 'a', 'r-1')
  const { clock } = machine.app
  const deaf = { note: () => undefined, ended: async () => undefined, announce: async () => refusal('audit.unavailable') }
  const undo = recordedUndo(machine.app.app.undo, { journal: deaf, clock, newId: () => 'id', redacted: async (text) => text })
  await expect(undo.undo()).rejects.toMatchObject({ code: 'audit.unavailable' })
  expect(machine.text('a.md')).toBe('a')
})

it('leaves a record of being refused, so that nothing is waited for that never comes', async () => {
  await write('a.md', 'a', 'r-1')
  const ended: unknown[] = []
  const full = { note: () => undefined, ended: async (row: object) => void ended.push(row), announce: async () => refusal('audit.unavailable') }
  const undo = recordedUndo(machine.app.app.undo, { journal: full, clock: machine.app.clock, newId: () => 'id', redacted: async (text) => text })
  await expect(undo.undo()).rejects.toMatchObject({ code: 'audit.unavailable' })
  expect(ended).toMatchObject([{ id: 'id', component: 'undo', outcome: 'refused', code: 'audit.unavailable' }])
})

it('reports the words of each run, each place once, and what stays', async () => {
  await write('a.md', 'a', 'r-1')
  await machine.call('write_file', { path: 'a.md', content: 'again' }, 'agrees', as('r-1', 'write twice'))
  await machine.call('memory_store', { namespace: 'n', content: 'kept' }, 'agrees', as('r-1'))
  await machine.call('read_file', { path: 'a.md' }, 'agrees', as('r-1'))
  const { rows, app } = machine.app
  expect(await listRuns(app, rows)).toMatchObject([{ run: 'r-1', motive: expect.stringMatching(/do it|write twice/), paths: [`${machine.home}/a.md`] }])
  expect(await takeBack(app, rows)).toMatchObject({ run: 'r-1', changes: [{ path: `${machine.home}/a.md`, state: 'restored' }], stays: ['memory_store'] })
  expect(machine.text('a.md')).toBeUndefined()
})
