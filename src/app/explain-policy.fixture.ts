/** Calls over a machine whose config file says this or that: explained, and held against what really becomes of them. */

import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { openMachine } from '../tools/files/machine.fixture.ts'
import type { Machine } from '../tools/files/machine.fixture.ts'
import { explainPolicy } from './explain-policy.ts'
import type { PolicyExplained } from './explain-policy.ts'
import type { Change } from './smallest-change.ts'

export type Made = readonly [tool: string, args: object]

/** Explains a call on the machine, by the settings that its config file would hold. */
export async function explainOn({ home }: Pick<Machine, 'home'>, security: object, [tool, args]: Made, more: object = {}): Promise<PolicyExplained> {
  const text = JSON.stringify({ profile: 'assistant', security, ...more }, undefined, 1)
  const options = { home, cwd: home, dataDir: join(dirname(home), 'data') }
  return explainPolicy({ loaded: loadSettings({ file: text }), options, config: { file: 'config.json', text }, call: { tool, args } })
}

/** A verdict is what becomes of the real call, with nobody there to ask. */
export async function agrees(security: object, call: Made): Promise<void> {
  const machine = openMachine(security)
  try {
    const { verdict, refused } = await explainOn(machine, security, call)
    const outcome = await machine.call(call[0], call[1], 'absent')
    const code = outcome.is === 'refused' ? outcome.refusal.code : ''
    if (verdict === 'asks') expect([call, code]).toEqual([call, 'consent.unavailable'])
    else if (verdict === 'refused') expect([call, code]).toEqual([call, refused?.code])
    // Whether a program runs here is another question than whether it may.
    else expect([call, /^(?:path|level|command|access|consent|component)\./.test(code)]).toEqual([call, false])
  } finally {
    await machine.close()
  }
}

/** Each change that is named turns the verdict as it says. */
export async function turns(security: object, call: Made): Promise<void> {
  const machine = openMachine()
  try {
    const { changes } = await explainOn(machine, security, call)
    for (const { to, changes: all, afterwards } of changes) {
      const now = await explainOn(machine, edited(security, all), call)
      if (to === 'allow') expect(now.refused?.code).toBe(afterwards)
      else expect(now.verdict).toBe(to === 'deny' ? 'refused' : 'runs')
    }
  } finally {
    await machine.close()
  }
}

/** The section as a person would have changed it. */
function edited(security: object, changes: readonly Change[]): object {
  let root: Record<string, unknown> = { security }
  for (const { do: how, path, value } of changes) {
    const list = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root)
    const next = how === 'set' ? value : how === 'add' ? [...((list as unknown[] | undefined) ?? []), value] : (list as unknown[]).filter((one) => one !== value)
    const put = (at: unknown, [key = '', ...rest]: readonly string[]): unknown => ({ ...(at as object), [key]: rest.length === 0 ? next : put((at as Record<string, unknown> | undefined)?.[key] ?? {}, rest) })
    root = put(root, path) as Record<string, unknown>
  }
  return root['security'] as object
}

export const CALLS: readonly Made[] = [
  ['read_file', { path: '~/notes/todo.md' }], ['read_file', { path: '~/.ssh/id_ed25519' }], ['read_file', { path: '/etc/hostname' }], ['list_files', { path: '..' }], ['list_files', { path: 'notes' }],
  ['write_file', { path: 'fresh.md', content: 'x' }], ['write_file', { path: 'notes/todo.md', content: 'x' }], ['write_file', { path: '.bashrc', content: 'x' }], ['write_file', { path: 'notes/todo.md' }],
  ['delete_file', { path: 'notes/idea.md' }], ['delete_file', { path: '~' }], ['delete_file', { path: '.aws/credentials' }], ['move_file', { source: 'notes/idea.md', target: 'idea.md' }], ['copy_file', { source: 'project/.env', target: 'x' }],
  ['run_command', { command: 'uname', args: ['-a'] }], ['run_command', { command: 'uname', args: [';'] }], ['run_command', { command: 'cat', args: ['project/.env'] }], ['cpu_info', {}], ['calculate', { expression: '1' }], ['nothing', {}],
]

export const SECTIONS: readonly object[] = [
  {}, { default_shell_access: true }, { default_shell_access: true, allowed_commands: ['cat'] }, { tool_overrides: { read_file: 'DENIED', delete_file: 'SAFE', write_file: 'CONFIRM' } }, { tool_overrides: { run_command: 'RESTRICTED', list_files: 'RESTRICTED' } },
  { denied_patterns: ['notes/**'], write_protected: ['fresh.md'] }, { allow_paths: ['project/**'] }, { allowed_roots: [] }, { excepted_patterns: ['.ssh/id_ed25519', '.aws/credentials'] }, { denied_names: ['notes'] },
]

/** The world of tests has files of its own behind read_file. */
export const REAL_CALLS = CALLS.filter(([tool]) => tool !== 'read_file')
