import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { refusal } from '../../kernel/refusal.ts'
import { createCommands } from './commands.ts'
import type { CommandsOptions, Judged } from './commands.ts'

let home: string
beforeEach(() => void (home = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-commands-')))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

const lasting = new AbortController().signal
const open = (judged: Partial<Judged>, more: Partial<CommandsOptions> = {}) =>
  createCommands({
    judge: ([program = '', ...args]) => ({ program, places: [`/usr/bin/${program}`, `/bin/${program}`], args, files: [], sees: ['home'], ...judged }),
    mayRead: async () => {}, cwd: home, home, wallMs: 20_000, maxOutputBytes: 10_000, ...more,
  })

it('gives a program an environment of ours alone, and no home whose files it would obey', async () => {
  process.env['ARROWHEAD_TEST_SECRET'] = 'PRIVATE'
  writeFileSync(join(home, '.jq'), 'def leak: "obeyed";')
  const { output } = await open({}).run(['env'], lasting)
  delete process.env['ARROWHEAD_TEST_SECRET']
  expect(output.split('\n').map((line) => line.split('=')[0]).filter((name) => !['', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? '')).sort()).toEqual(['HOME', 'LANG', 'LC_ALL', 'PAGER', 'PATH', 'SYSTEMD_COLORS', 'SYSTEMD_LESS', 'SYSTEMD_PAGER', 'TERM'])
  expect(output).toContain('HOME=/nonexistent')
  expect(output).not.toContain('PRIVATE')
})

it('asks about each file before anything starts', async () => {
  const asked: string[] = []
  const mayRead = async (path: string) => {
    asked.push(path)
    if (path === 'hidden') throw refusal('path.denied')
  }
  await expect(open({ files: ['a', 'hidden', 'b'] }, { mayRead }).run(['touch', 'made'], lasting)).rejects.toMatchObject({ code: 'path.denied' })
  expect(asked).toEqual(['a', 'hidden'])
})

it('runs nothing where the judge says no, nor what the system does not have', async () => {
  await expect(open({}, { judge: () => { throw refusal('command.denied') } }).run(['true'], lasting)).rejects.toMatchObject({ code: 'command.denied' })
  await expect(open({ places: [join(home, 'own'), 'true', './true'] }).run(['true'], lasting)).rejects.toMatchObject({ code: 'exec.unavailable' })
})

it('starts no shell: words are what they are', async () => {
  const { output } = await open({}).run(['printf', '%s|', '$HOME', '`id`', '; id', '*', '~'], lasting)
  expect(output).toBe('$HOME|`id`|; id|*|~|')
})

it('lets a program write nothing, has no terminal and no input for it', async () => {
  mkdirSync(join(home, 'sub'))
  expect(await open({}).run(['tty'], lasting)).toMatchObject({ output: 'not a tty\n' })
  expect(await open({}).run(['cat'], lasting)).toMatchObject({ output: '', exitCode: 0 })
  // Without a sandbox the limit on the size of files holds: a file may be made, and stays empty.
  const { exitCode } = await open({}).run(['dd', 'if=/dev/zero', `of=${join(home, 'made')}`, 'bs=1', 'count=10'], lasting)
  expect(exitCode).not.toBe(0)
})

it('ends what takes too long, says too much, or is not wanted any more', async () => {
  expect(await open({}, { wallMs: 300 }).run(['sleep', '60'], lasting)).toMatchObject({ ended: 'wall' })
  const { ended, output } = await open({}).run(['yes'], lasting)
  expect([ended, output.length <= 10_000]).toEqual(['output', true])
  expect(await open({}).run(['sleep', '60'], AbortSignal.timeout(200))).toMatchObject({ ended: 'abort' })
})
