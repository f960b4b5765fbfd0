import { execFileSync } from 'node:child_process'
import { linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { systemProgram } from '../../../src/exits/process/system-program.ts'
import { codeOf, openMachine, valueOf } from '../../../src/tools/files/machine.fixture.ts'
import type { Machine } from '../../../src/tools/files/machine.fixture.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

const ON = { default_shell_access: true }

function opened({ later }: World, security: object): Machine {
  const machine = openMachine(security)
  later(() => machine.close())
  return machine
}
const run = (machine: Machine, line: string, person?: 'agrees' | 'refuses' | 'absent') => {
  const [command = '', ...args] = line.split(' ')
  return machine.call('run_command', { command, args }, person)
}

export const commands: Area = (proves) => {
  proves('commands.off', 'nothing runs before the operator switched it on', async (world) => {
    expect(codeOf(await run(opened(world, {}), 'date'))).toBe('command.off')
    expect(codeOf(await run(opened(world, ON), 'date'))).toBe('ok')
  })

  proves('commands.listed', 'no other program, option, spelling or operand runs, and nobody is asked about it', async (world) => {
    const machine = opened(world, ON)
    for (const line of ['sh -c id', 'bash', '/bin/date', 'date -s x', 'date -f a', 'date --fi=a', 'date 010100002030', 'du --files0-from a', 'ip l s lo up', 'ip -b a', 'ss -D a', 'ss -tK', 'hostname other', 'ps e', 'ps -eTH', 'ps -uaxe', 'free -s 1', 'systemctl -H a status x', 'systemctl stop x', 'lscpu -s a', 'cat notes/todo.md', 'git status']) expect([line, codeOf(await run(machine, line))]).toEqual([line, 'command.denied'])
    expect(machine.asked).toEqual([])
  })

  proves('commands.files', 'a file that a command names is judged as the program will take it', async (world) => {
    const machine = opened(world, { ...ON, allowed_commands: ['cat', 'du'] })
    machine.put('away/deep/a', 'x')
    machine.link('link', 'away/deep')
    machine.link('out', machine.outside)
    execFileSync('mkfifo', [join(machine.home, 'pipe')])
    linkSync(join(machine.outside, 'secret.txt'), join(machine.home, 'second-name'))
    for (const path of ['pipe', 'second-name', '.ssh/id_ed25519', '../outside/secret.txt', 'out/secret.txt', 'link/../a', '~/notes/todo.md', 'project/.env', '-']) expect([path, JSON.stringify(await run(machine, `cat ${path}`)).includes('PRIVATE'), codeOf(await run(machine, `cat -- ${path}`))]).toEqual([path, false, expect.stringMatching(/^(?:path|file|command)\./)])
    expect(valueOf(await run(machine, 'cat notes/todo.md'))).toMatchObject({ output: expect.stringContaining('buy milk') })
    expect(JSON.stringify(valueOf(await run(machine, 'du')))).not.toContain('.ssh')
  })

  proves('commands.own-folder', 'a program that looks at its own folder does so only where that is allowed', async (world) => {
    const machine = opened(world, { ...ON, allowed_roots: ['~/notes'] })
    expect(codeOf(await run(machine, 'du'))).toBe('path.outside')
    expect(codeOf(await run(machine, 'du notes'))).toBe('ok')
  })

  proves('commands.environment', 'a program is given words, an environment of ours and no home that it would obey', async (world) => {
    const machine = opened(world, { ...ON, commands: { printenv: { path: '/usr/bin/printenv' } } })
    process.env['ARROWHEAD_PROOF'] = 'PRIVATE'
    world.later(() => delete process.env['ARROWHEAD_PROOF'])
    const { output } = valueOf(await run(machine, 'printenv'))
    expect(String(output)).not.toMatch(/PRIVATE|ARROWHEAD/)
    expect(String(output)).not.toContain(machine.home)
  })

  proves('commands.system', 'a program that anybody else could have put there is none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'arrowhead-proof-'))
    try {
      writeFileSync(join(folder, 'date'), '#!/bin/sh\n', { mode: 0o755 })
      expect([systemProgram([join(folder, 'date')]), systemProgram(['date', './date'])]).toEqual([undefined, undefined])
      expect(systemProgram([join(folder, 'date'), '/usr/bin/date', '/bin/date'])).toMatch(/\/date$/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  proves('commands.person', 'a command runs once a person agreed, who saw each of its words', async (world) => {
    const machine = opened(world, ON)
    expect(codeOf(await run(machine, 'uname -s -r', 'absent'))).toBe('consent.unavailable')
    expect(codeOf(await run(machine, 'uname -s -r', 'refuses'))).toBe('consent.declined')
    for (const word of ['uname', '-s', '-r']) expect(machine.asked.at(-1)).toContain(word)
    expect(codeOf(await run(machine, 'uname -s -r', 'agrees'))).toBe('ok')
  })
}
