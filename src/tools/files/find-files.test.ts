import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from './machine.fixture.ts'
import type { Machine } from './machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

it('finds files by a name at any depth, and by a path', async () => {
  machine.put('.cache/x.md', 'no')
  machine.put('.ssh/x.md', 'no')
  const find = async (pattern: string, path = '~') => (valueOf(await machine.call('find_files', { path, pattern }, 'absent'))['paths'] as string[]).map((one) => one.slice(machine.home.length + 1))
  expect(await find('*.md')).toEqual(['notes/idea.md', 'notes/todo.md', 'project/README.md'])
  expect(await find('src/**', '~/project')).toEqual(['project/src/main.ts'])
  expect(await find('.env')).toEqual([])
})

it('refuses a pattern that means nothing', async () => {
  expect(codeOf(await machine.call('find_files', { pattern: '[' }, 'absent'))).toBe('input.invalid')
})
