import { expect } from 'vitest'
import { codeOf, openMachine } from '../../../src/tools/files/machine.fixture.ts'
import type { Machine } from '../../../src/tools/files/machine.fixture.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

function opened({ later }: World, security: object = {}): Machine {
  const machine = openMachine(security)
  later(() => machine.close())
  return machine
}

/** Every way to read, find and change by one path, as a person who agrees to everything. */
async function everyWay({ call }: Machine, path: string): Promise<readonly string[]> {
  const calls: readonly (readonly [name: string, args: object])[] = [
    ['read_file', { path }], ['list_files', { path }], ['find_files', { path, pattern: '*' }], ['search_files', { path, query: 'PRIVATE' }], ['write_file', { path, content: 'x' }], ['edit_file', { path, old_text: 'PRIVATE', new_text: 'x' }],
    ['copy_file', { source: path, target: 'copied' }], ['copy_file', { source: 'notes/todo.md', target: path }], ['move_file', { source: path, target: 'moved' }], ['move_file', { source: 'notes/todo.md', target: path }], ['delete_file', { path }], ['git_info', { path }],
  ]
  const outcomes = []
  for (const [name, args] of calls) outcomes.push(await call(name, args))
  expect(JSON.stringify(outcomes.map((outcome) => (outcome.is === 'ok' ? outcome.answer.value : '')))).not.toContain('PRIVATE')
  return outcomes.map(codeOf)
}

export const localPaths: Area = (proves) => {
  proves('local-paths.inside', 'no spelling and no link leads out of the allowed folders, whichever tool takes it', async (world) => {
    const machine = opened(world)
    machine.link('way-out', machine.outside)
    machine.link('secret', `${machine.outside}/secret.txt`)
    machine.link('to-nothing', `${machine.outside}/new`)
    const before = machine.picture()
    for (const path of ['../outside/secret.txt', `${machine.outside}/secret.txt`, `${machine.home}/../outside`, 'way-out/secret.txt', 'way-out', 'secret', '~root/x', '~/../outside/secret.txt', 'a\0b', '/etc/passwd', 'to-nothing', '/proc/self/root/etc/passwd', `${machine.home}2/x`]) {
      const codes = await everyWay(machine, path)
      expect([path, codes.filter((code) => code === 'ok' || code === 'fault')]).toEqual([path, path === 'secret' || path === 'way-out' || path === 'to-nothing' ? expect.any(Array) : []])
      // A link itself lies inside: it may be moved or taken away, what it leads to may not.
      for (const link of ['moved', 'copied']) if (machine.picture()[`home/${link}`] !== undefined) await machine.call('delete_file', { path: link })
    }
    const outside = (picture: Readonly<Record<string, string>>) => Object.entries(picture).filter(([path]) => path.startsWith('outside'))
    expect(outside(machine.picture())).toEqual(outside(before))
    expect(JSON.stringify(machine.picture())).not.toMatch(/"home\/(?:copied|moved)":"file/)
  })

  proves('local-paths.hidden', 'what is denied is neither read, listed, found, changed nor taken away', async (world) => {
    const machine = opened(world, { denied_patterns: ['**/diary/**'], denied_names: ['private'] })
    machine.put('diary/a.md', 'PRIVATE')
    machine.put('work/private/b.md', 'PRIVATE')
    machine.link('look', 'diary/a.md')
    const before = machine.picture()
    for (const path of ['.ssh/id_ed25519', '.SSH/id_ed25519', '.ssh', 'project/.env', 'project/.ENV', '.aws/credentials', 'diary/a.md', 'DIARY', 'work/private', 'work/Private/b.md', 'notes/../diary/a.md', '.password-store/bank.gpg']) expect([path, (await everyWay(machine, path)).filter((code) => code === 'ok' || code === 'fault')]).toEqual([path, []])
    expect(machine.picture()).toEqual(before)
    for (const [name, args] of [['list_files', { path: '~' }], ['find_files', { path: '~', pattern: '*' }], ['search_files', { path: '~', query: 'PRIVATE' }]] as const) {
      const outcome = await machine.call(name, args)
      expect([name, outcome.is, /PRIVATE|diary|private|\.ssh|\.env/.test(JSON.stringify(outcome.is === 'ok' ? outcome.answer.value : ''))]).toEqual([name, 'ok', false])
    }
  })

  proves('local-paths.protected', 'files that something else obeys may be read and never changed', async (world) => {
    const machine = opened(world)
    machine.put('project/.git/hooks/pre-commit', 'hook')
    machine.put('.vscode/tasks.json', '{}')
    machine.link('innocent', '.bashrc')
    const before = machine.picture()
    for (const path of ['.bashrc', '.BashRC', 'innocent', 'project/.git/hooks/pre-commit', 'project/.git/hooks/new', '.vscode/tasks.json', '.config/autostart/x.desktop', '.zshenv', '.config/arrowhead/config.json']) {
      for (const [name, args] of [['write_file', { path, content: 'x' }], ['edit_file', { path, old_text: 'l', new_text: 'x' }], ['copy_file', { source: 'notes/todo.md', target: path }], ['move_file', { source: 'notes/todo.md', target: path }]] as const) expect([path, name, codeOf(await machine.call(name, args))]).not.toEqual([path, name, 'ok'])
    }
    expect(machine.picture()).toEqual(before)
    expect(codeOf(await machine.call('copy_file', { source: '.bashrc', target: 'notes/bashrc' }))).toBe('ok')
  })

  proves('local-paths.roots', 'no spelling of an allowed folder, of one above it or of a link to it is deleted or moved, and nobody is asked', async (world) => {
    const machine = opened(world)
    machine.link('myself', machine.home)
    const before = machine.picture()
    for (const path of ['~', '.', '..', '/', 'notes/..', '~/.', `${machine.home}/`, `${machine.home}/notes/../../home`, 'myself', 'myself/.', 'myself/notes/..']) {
      for (const [name, args] of [['delete_file', { path }], ['move_file', { source: path, target: 'elsewhere' }]] as const) expect([path, name, codeOf(await machine.call(name, args))]).toEqual([path, name, expect.stringMatching(/^(?:path|file)\./)])
    }
    expect([machine.asked, machine.picture()]).toEqual([[], before])
  })

  proves('local-paths.before-asking', 'a refusal of the path policy comes before any question, at either end of a copy or a move', async (world) => {
    const machine = opened(world)
    for (const [source, target] of [['.ssh/id_ed25519', 'notes/a'], ['notes/todo.md', '.ssh/a'], ['notes/todo.md', '../outside/a'], ['../outside/secret.txt', 'notes/a'], ['notes/todo.md', '.bashrc'], ['project/.env', 'notes/idea.md']]) {
      for (const name of ['copy_file', 'move_file']) expect([name, source, target, codeOf(await machine.call(name, { source, target }))]).toEqual([name, source, target, expect.stringMatching(/^path\./)])
    }
    expect(machine.asked).toEqual([])
  })
}
