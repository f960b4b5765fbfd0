import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from './machine.fixture.ts'
import type { Machine } from './machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

it('gives a file another place once a person agreed', async () => {
  const args = { source: 'notes/idea.md', target: 'archive/idea.md' }
  expect(codeOf(await machine.call('move_file', args, 'refuses'))).toBe('consent.declined')
  expect(valueOf(await machine.call('move_file', args))).toMatchObject({ replaced: false })
  expect([machine.text('notes/idea.md'), machine.text('archive/idea.md')]).toEqual([undefined, '# Idea\n'])
})

it('carries no secret out, and takes no start-up file away', async () => {
  const before = machine.picture()
  for (const [source, target, code] of [['project/.env', 'plain.txt', 'path.denied'], ['.bashrc', 'x', 'path.protected'], ['notes/todo.md', '.profile', 'path.protected'], ['.', 'x', 'path.protected']]) {
    expect([source, codeOf(await machine.call('move_file', { source, target }))]).toEqual([source, code])
  }
  expect([machine.asked, machine.picture()]).toEqual([[], before])
})
