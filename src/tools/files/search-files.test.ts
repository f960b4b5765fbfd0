import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from './machine.fixture.ts'
import type { Machine } from './machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

it('finds a text in files that may be read, and in no other', async () => {
  machine.put('notes/private.md', 'PRIVATE is what this note says')
  const { matches } = valueOf(await machine.call('search_files', { path: '~', query: 'private' }, 'absent')) as { matches: { path: string; line: number }[] }
  expect(matches.map(({ path, line }) => [path, line])).toEqual([[`${machine.home}/notes/private.md`, 1]])
})

it('refuses a file in the place of a folder', async () => {
  expect(codeOf(await machine.call('search_files', { path: '~/notes/todo.md', query: 'milk' }, 'absent'))).toBe('file.unavailable')
})
