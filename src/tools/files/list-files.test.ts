import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from './machine.fixture.ts'
import type { Machine } from './machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

it('lists a folder, and leaves out what the path policy hides', async () => {
  const { entries, path } = valueOf(await machine.call('list_files', { path: '~' }, 'absent')) as { entries: { name: string }[]; path: string }
  expect(path).toBe(machine.home)
  expect(entries.map(({ name }) => name)).toEqual(['.bashrc', 'notes', 'project'])
})

it('refuses a folder outside, a hidden one and a link to one', async () => {
  machine.link('way-out', machine.outside)
  machine.link('keys', '.ssh')
  for (const [path, code] of [[machine.outside, 'path.outside'], ['~/.ssh', 'path.denied'], ['way-out', 'file.unavailable'], ['keys', 'path.denied'], ['..', 'path.outside'], ['~root', 'path.invalid']]) {
    expect([path, codeOf(await machine.call('list_files', { path }, 'absent'))]).toEqual([path, code])
  }
})
