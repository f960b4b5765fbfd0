import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, openMachine } from '../../tools/files/machine.fixture.ts'
import type { Machine } from '../../tools/files/machine.fixture.ts'
import { undoesExactly } from './undo.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine()))
afterEach(() => machine.close())

const change = (name: string, args: object, run = 'one') => machine.call(name, args, 'agrees', { run })

describe('taking back a run', () => {
  it('puts back bytes, permissions, links and absence', async () => {
    machine.put('bin/run.sh', 'echo', 0o751)
    machine.link('latest', 'notes/todo.md')
    const before = machine.picture()
    for (const [name, args] of [
      ['write_file', { path: 'deep/er/new.md', content: 'x' }], ['write_file', { path: 'bin/run.sh', content: 'other' }], ['edit_file', { path: 'notes/todo.md', old_text: 'milk', new_text: 'bread' }],
      ['delete_file', { path: 'latest' }], ['move_file', { source: 'notes/idea.md', target: 'notes/todo.md' }], ['copy_file', { source: 'bin/run.sh', target: 'notes/copy.sh' }], ['delete_file', { path: 'bin/run.sh' }],
    ] as const) expect([name, codeOf(await change(name, args))]).toEqual([name, 'ok'])
    expect(machine.picture()).not.toEqual(before)
    const { changes } = await machine.app.app.undo.undo('one')
    expect(new Set(changes.map(({ state }) => state))).toEqual(new Set(['restored']))
    expect(machine.picture()).toEqual(before)
  })

  it('leaves alone what something else changed since, and says so', async () => {
    await change('write_file', { path: 'a.md', content: 'mine' })
    machine.put('a.md', 'theirs')
    expect((await machine.app.app.undo.undo('one')).changes).toMatchObject([{ state: 'changed-since' }])
    expect(machine.text('a.md')).toBe('theirs')
  })

  it('takes back the newest run, each once', async () => {
    await change('write_file', { path: 'a.md', content: 'a' }, 'one')
    machine.app.clock.pass(5)
    await change('write_file', { path: 'b.md', content: 'b' }, 'two')
    expect((await machine.app.app.undo.runs()).map(({ run }) => run)).toEqual(['two', 'one'])
    await machine.app.app.undo.undo()
    expect([machine.text('a.md'), machine.text('b.md')]).toEqual(['a', undefined])
    await machine.app.app.undo.undo()
    expect(machine.text('a.md')).toBeUndefined()
    await expect(machine.app.app.undo.undo()).rejects.toMatchObject({ code: 'undo.missing' })
  })

  it('writes through no link that was laid since', async () => {
    await change('edit_file', { path: 'notes/todo.md', old_text: 'milk', new_text: 'bread' })
    await change('delete_file', { path: 'notes/idea.md' })
    const { rmSync } = await import('node:fs')
    rmSync(`${machine.home}/notes`, { recursive: true })
    machine.link('notes', '../outside')
    const before = machine.picture()
    expect((await machine.app.app.undo.undo('one')).changes.map(({ state }) => state)).toEqual(['refused', 'refused'])
    expect(machine.picture()).toEqual(before)
  })
})

it('touches only what the run touched, whatever it did', () => undoesExactly(machine, 6))
