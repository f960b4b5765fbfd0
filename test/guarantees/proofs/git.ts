import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { buildRepository } from '../../../src/services/git/hostile-git.fixture.ts'
import { codeOf, openMachine } from '../../../src/tools/files/machine.fixture.ts'
import type { Area } from '../proves.ts'

const TOOLS = ['git_status', 'git_log', 'git_diff', 'git_branches', 'git_info']

export const git: Area = (proves) => {
  proves('git.no-process', 'nothing that a repository names is started', async ({ later }) => {
    const machine = openMachine()
    later(() => machine.close())
    const [marker, script] = [join(machine.outside, 'started'), join(machine.outside, 'script')]
    writeFileSync(script, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    mkdirSync(join(machine.home, 'repo'))
    const { own, tree, commit, object } = buildRepository(join(machine.home, 'repo'))
    commit(tree([{ mode: '100644', name: 'a', id: object('blob', Buffer.from('text')) }]))
    own('config', `[core]\n\tfsmonitor = ${script}\n\tpager = ${script}\n[filter "x"]\n\tclean = ${script}\n[diff "x"]\n\ttextconv = ${script}\n`)
    own('info/attributes', '* filter=x diff=x\n')
    machine.put('repo/a', 'other')
    for (const name of TOOLS) expect([name, codeOf(await machine.call(name, { path: 'repo' }))]).toEqual([name, 'ok'])
    expect(existsSync(marker)).toBe(false)
  })

  proves('git.inside', 'a repository that lies elsewhere, by a file or a link, is none', async ({ later }) => {
    const machine = openMachine()
    later(() => machine.close())
    const elsewhere = join(machine.outside, 'repo')
    mkdirSync(elsewhere)
    const { tree, commit } = buildRepository(elsewhere)
    commit(tree([]))
    machine.put('pointing/.git', `gitdir: ${elsewhere}/.git\n`)
    mkdirSync(join(machine.home, 'linked'))
    symlinkSync(join(elsewhere, '.git'), join(machine.home, 'linked/.git'))
    for (const path of ['pointing', 'linked']) expect([path, codeOf(await machine.call('git_log', { path }))]).toEqual([path, expect.stringMatching(/^(?:git|file)\.unavailable$/)])
  })
}
