import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from '../files/machine.fixture.ts'
import type { Machine } from '../files/machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine({ default_shell_access: true })))
afterEach(() => machine.close())

it('runs a listed program once a person agreed', async () => {
  const args = { command: 'uname', args: ['-s'] }
  expect(codeOf(await machine.call('run_command', args, 'absent'))).toBe('consent.unavailable')
  expect(codeOf(await machine.call('run_command', args, 'refuses'))).toBe('consent.declined')
  expect(valueOf(await machine.call('run_command', args))).toMatchObject({ exit_code: 0, ended: 'exit', output: expect.stringContaining('Linux') })
})

it('is off until the operator switches it on, and then nobody is asked first', async () => {
  const off = openMachine()
  expect(codeOf(await off.call('run_command', { command: 'date' }))).toBe('command.off')
  expect(off.asked).toEqual([])
  await off.close()
})

it('refuses what is not listed before anybody is asked', async () => {
  for (const [command, ...args] of [['bash', '-c', 'id'], ['date', '-s', '2030-01-01'], ['/tmp/date'], ['DATE'], ['date', '-f', 'x'], ['ps', 'e'], ['hostname', 'other'], ['df', '; id'], ['constructor'], ['__proto__']]) {
    expect([command, args, codeOf(await machine.call('run_command', { command, args }))]).toEqual([command, args, 'command.denied'])
  }
  expect(codeOf(await machine.call('run_command', { command: 'date;id', args: 'x' }))).toBe('input.invalid')
  expect(machine.asked).toEqual([])
})

it('judges file operands by the path policy', async () => {
  machine.link('way-out', machine.outside)
  for (const [path, code] of [['/root', 'path.outside'], ['.ssh', 'path.denied'], ['way-out', 'file.unavailable'], ['../outside', 'path.outside']]) {
    expect([path, codeOf(await machine.call('run_command', { command: 'df', args: [path] }))]).toEqual([path, code])
  }
})

it('shows a folder of the person, and nothing of its hidden ones', async () => {
  const { output, exit_code: code } = valueOf(await machine.call('run_command', { command: 'du', args: ['-k', '.'] })) as { output: string; exit_code: number }
  expect([code, output.includes('./project'), output.includes('.ssh')]).toEqual([0, true, false])
})

it('gives a program no environment, no terminal and no input', async () => {
  process.env['ARROWHEAD_TEST_SECRET'] = 'PRIVATE'
  const outcome = valueOf(await machine.call('run_command', { command: 'ps', args: ['-f'] }))
  delete process.env['ARROWHEAD_TEST_SECRET']
  expect(JSON.stringify(outcome)).not.toContain('PRIVATE')
})

it('shows a person the program and each of its arguments', async () => {
  await machine.call('run_command', { command: 'uname', args: ['-s', '-r'] }, 'refuses')
  expect(machine.asked.at(-1)).toContain('uname')
  expect(machine.asked.at(-1)).toContain('-r')
})
