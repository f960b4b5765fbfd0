import { expect } from 'vitest'
import { openMachine } from '../../../src/tools/files/machine.fixture.ts'
import type { Area } from '../proves.ts'

export const undo: Area = (proves) => {
  proves('undo.exact', 'bytes, permissions, links and absence come back, and a bystander is not touched', async ({ later }) => {
    const machine = openMachine()
    later(() => machine.close())
    machine.put('run.sh', 'echo', 0o751)
    machine.link('latest', 'notes/todo.md')
    const before = machine.picture()
    for (const [name, args] of [['write_file', { path: 'run.sh', content: 'x' }], ['delete_file', { path: 'latest' }], ['move_file', { source: 'notes/idea.md', target: 'deep/er/idea.md' }], ['write_file', { path: 'new/a', content: 'x' }]] as const) await machine.call(name, args, 'agrees', { run: 'one' })
    expect(machine.picture()).not.toEqual(before)
    machine.put('bystander', 'of somebody else')
    await machine.app.app.undo.undo('one')
    const { 'home/bystander': bystander, ...rest } = machine.picture()
    expect([bystander?.includes('of somebody else'), rest]).toEqual([true, before])
  })

  proves('undo.others', 'what something else changed since stays, and it is said', async ({ later }) => {
    const machine = openMachine()
    later(() => machine.close())
    await machine.call('write_file', { path: 'a.md', content: 'mine' }, 'agrees', { run: 'one' })
    machine.put('a.md', 'theirs')
    expect((await machine.app.app.undo.undo('one')).changes).toMatchObject([{ state: 'changed-since' }])
    expect(machine.text('a.md')).toBe('theirs')
  })
}
