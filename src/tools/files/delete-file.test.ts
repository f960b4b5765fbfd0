import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine } from './machine.fixture.ts'
import type { Machine } from './machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

it('takes a file away once a person agreed', async () => {
  expect(codeOf(await machine.call('delete_file', { path: 'notes/idea.md' }, 'absent'))).toBe('consent.unavailable')
  expect(codeOf(await machine.call('delete_file', { path: 'notes/idea.md' }))).toBe('ok')
  expect(machine.text('notes/idea.md')).toBeUndefined()
})

it('never takes the home away, whatever it is called', async () => {
  machine.link('notes/home', '..')
  machine.link('notes/up', '../..')
  const before = machine.picture()
  for (const path of ['~', '~/', '.', './', 'notes/..', 'notes/../', '..', '~/..', '/', machine.home, `${machine.home}/.`, `${machine.home}//`, 'notes/home', 'notes/home/', 'notes/up', 'notes/home/notes/..']) {
    expect([path, ['path.protected', 'path.outside', 'file.unavailable']]).toEqual([path, expect.arrayContaining([codeOf(await machine.call('delete_file', { path }))])])
  }
  expect([machine.asked, machine.picture()]).toEqual([[], before])
})

it('takes a link away, and not what it leads to', async () => {
  machine.link('latest.md', 'notes/todo.md')
  expect(codeOf(await machine.call('delete_file', { path: 'latest.md' }))).toBe('ok')
  expect([machine.picture()['home/latest.md'], machine.text('notes/todo.md')]).toEqual([undefined, 'buy milk\ncall the bank\n'])
})
