import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from './machine.fixture.ts'
import type { Machine } from './machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

it('replaces a text once a person agreed to the difference', async () => {
  const args = { path: 'notes/todo.md', old_text: 'milk', new_text: 'bread' }
  expect(codeOf(await machine.call('edit_file', args, 'absent'))).toBe('consent.unavailable')
  expect(valueOf(await machine.call('edit_file', args))).toMatchObject({ replaced: true })
  expect(machine.text('notes/todo.md')).toBe('buy bread\ncall the bank\n')
  expect(machine.asked.at(-1)).toContain('+buy bread')
})

it('refuses a text that stands there twice or not at all', async () => {
  for (const text of ['l', 'nothing like it']) expect(codeOf(await machine.call('edit_file', { path: 'notes/todo.md', old_text: text, new_text: '' }))).toBe('edit.mismatch')
  expect(machine.text('notes/todo.md')).toBe('buy milk\ncall the bank\n')
})
