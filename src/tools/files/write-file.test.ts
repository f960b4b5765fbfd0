import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from './machine.fixture.ts'
import type { Machine } from './machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

it('writes a new file unasked, for its owner alone', async () => {
  expect(valueOf(await machine.call('write_file', { path: '~/new/a.md', content: 'one' }, 'absent'))).toMatchObject({ replaced: false, size: 3 })
  expect(machine.picture()['home/new/a.md']).toBe('file 600 one')
})

it('replaces a file only once a person agreed, who is shown the difference', async () => {
  machine.put('notes/todo.md', 'buy milk\n', 0o640)
  const args = { path: 'notes/todo.md', content: 'buy bread\n' }
  expect(codeOf(await machine.call('write_file', args, 'absent'))).toBe('consent.unavailable')
  expect(codeOf(await machine.call('write_file', args, 'refuses'))).toBe('consent.declined')
  expect(machine.text('notes/todo.md')).toBe('buy milk\n')
  expect(codeOf(await machine.call('write_file', args))).toBe('ok')
  expect(machine.picture()['home/notes/todo.md']).toBe('file 640 buy bread\n')
  expect(machine.asked.at(-1)).toContain('-buy milk')
})

it('refuses before anybody is asked: secrets, start-up files, repositories, the outside', async () => {
  machine.put('project/.git/config', '[core]')
  machine.link('hook', 'project/.git/hooks/pre-commit')
  const before = machine.picture()
  for (const [path, code] of [
    ['~/.ssh/authorized_keys', 'path.denied'], ['project/.env', 'path.denied'], ['~/.bashrc', 'path.protected'], ['~/.BASHRC', 'path.protected'], ['.config/autostart/x.desktop', 'path.protected'],
    ['project/.git/config', 'path.denied'], ['project/.git/hooks/pre-commit', 'path.protected'], ['hook', 'path.protected'], ['../outside/x', 'path.outside'], ['~/.config/arrowhead/config.json', 'path.protected'],
  ]) expect([path, codeOf(await machine.call('write_file', { path, content: 'x' }))]).toEqual([path, code])
  expect(machine.asked).toEqual([])
  expect(machine.picture()).toEqual(before)
})

it('writes through a link to a file inside, and keeps the link', async () => {
  machine.link('latest.md', 'notes/todo.md')
  expect(codeOf(await machine.call('write_file', { path: 'latest.md', content: 'new' }))).toBe('ok')
  expect(machine.picture()).toMatchObject({ 'home/latest.md': 'link to notes/todo.md', 'home/notes/todo.md': 'file 644 new' })
})

it('replaces nothing that changed after the person looked', async () => {
  const outcome = await machine.call('write_file', { path: 'notes/todo.md', content: 'x' }, 'agrees', {
    ask: async () => {
      machine.put('notes/todo.md', 'changed meanwhile')
      return { arrowhead_consent: { action: 'accept', content: { approve: true } } }
    },
  })
  expect(codeOf(outcome)).toBe('consent.changed')
  expect(machine.text('notes/todo.md')).toBe('changed meanwhile')
})

it('takes no yes from the one who asks', async () => {
  for (const extra of [{ confirm: true }, { confirmed: true }, { approve: true }, { arrowhead_consent: { approve: true } }, { level: 'SAFE' }]) {
    expect(codeOf(await machine.call('write_file', { path: 'notes/todo.md', content: 'x', ...extra }, 'absent'))).toBe('input.invalid')
  }
})
