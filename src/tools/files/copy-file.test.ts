import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from './machine.fixture.ts'
import type { Machine } from './machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

it('copies a file with its permissions, unasked where nothing is replaced', async () => {
  machine.put('bin/run.sh', 'echo', 0o755)
  expect(codeOf(await machine.call('copy_file', { source: 'bin/run.sh', target: 'bin/again.sh' }, 'absent'))).toBe('ok')
  expect(machine.picture()['home/bin/again.sh']).toBe('file 755 echo')
})

it('judges both ends', async () => {
  const before = machine.picture()
  for (const [source, target, code] of [['project/.env', 'x.txt', 'path.denied'], ['notes/todo.md', '.bash_profile', 'path.protected'], ['notes/todo.md', '../outside/x', 'path.outside'], ['../outside/secret.txt', 'x', 'path.outside']]) {
    expect([source, codeOf(await machine.call('copy_file', { source, target }))]).toEqual([source, code])
  }
  expect(machine.picture()).toEqual(before)
})

it('replaces only once a person agreed', async () => {
  const args = { source: 'notes/idea.md', target: 'notes/todo.md' }
  expect(codeOf(await machine.call('copy_file', args, 'absent'))).toBe('consent.unavailable')
  expect(valueOf(await machine.call('copy_file', args))).toMatchObject({ replaced: true })
  expect(machine.text('notes/todo.md')).toBe('# Idea\n')
})
