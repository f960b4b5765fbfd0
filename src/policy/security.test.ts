import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeCommand } from './commands/judge-command.ts'
import { isPathRefused, parseSecurity } from './security.ts'
import type { Security } from './security.ts'

const STANDPOINT = { home: '/home/me', cwd: '/home/me/work' }
const TOOLS = new Set(['write_file', 'delete_file'])
const parse = (section: unknown) => parseSecurity(section, STANDPOINT, TOOLS)
const problemsOf = (section: unknown): readonly string[] => {
  const parsed = parse(section)
  return parsed.ok ? [] : parsed.problems.map((problem) => problem.replace(/^security\./, ''))
}
function securityOf(section?: unknown): Security {
  const parsed = parse(section)
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.security
}

describe('without a section', () => {
  it('the home is the only folder, no command runs, and no level is another', () => {
    const { roots, shellAccess, overrides, allowRestricted } = securityOf()
    expect([roots, shellAccess, overrides.size, allowRestricted.size]).toEqual([['/home/me'], false, 0, 0])
  })

  it('sixteen programs are known', () => expect([...securityOf().commands.keys()].sort()).toEqual(['date', 'df', 'du', 'free', 'hostname', 'id', 'ip', 'lsblk', 'lscpu', 'nproc', 'ps', 'ss', 'systemctl', 'uname', 'uptime', 'whoami']))
})

describe('the allowed folders', () => {
  it('are absolute or below the home, and a list of none allows nothing', () => {
    expect(securityOf({ allowed_roots: ['~', '~/a/', '/srv/./data/..//x'] }).roots).toEqual(['/home/me', '/home/me/a', '/srv/x'])
    const none = securityOf({ allowed_roots: [] })
    expect([none.roots, isPathRefused('/home/me/a', 'read', none), isPathRefused('~', 'read', none)]).toEqual([[], true, true])
  })

  it('are none that lead to everything else, nor any that could be two', () => {
    for (const root of ['/', '//', '/.', '/a/..', '~/../..', '/proc', '/proc/self/root', '/sys', '/dev', '/run', 'relative', './a', '../a', '~other', '~other/a', '', 'a\0', '/a\\b']) expect([root, problemsOf({ allowed_roots: [root] }).length]).toEqual([root, 1])
  })

  it('hold what is below them whole, and nothing beside them', () => {
    const security = securityOf({ allowed_roots: ['/srv/data'] })
    for (const path of ['/srv/data', '/srv/data/', '/srv/data/a', '/srv/./data//a', '/srv/data/../data/a']) expect([path, isPathRefused(path, 'read', security)]).toEqual([path, false])
    for (const path of ['/srv', '/srv/database', '/srv/data2/a', '/srv/Data/a', '/srv/data/../x', '/srv/data/../../etc', 'a', '~/a', '~root/a', '/srv/data/.ssh/a', '/srv/data/.SSH/a']) expect([path, isPathRefused(path, 'read', security)]).toEqual([path, true])
  })
})

describe('the operator’s own rules', () => {
  it('are added to those that nobody has to write', () => {
    const security = securityOf({ denied_names: ['private*'], denied_patterns: ['**/*.secret'], write_protected: ['[~]never'], excepted_patterns: [] })
    expect(['a/Private1/x', 'a.secret', '.ssh/x', 'work/.env'].map((path) => isPathRefused(`~/${path}`, 'read', security))).toEqual([true, true, true, true])
    expect(isPathRefused('~/.bashrc', 'write', security)).toBe(true)
  })

  it('are told to a program that walks folders', () => {
    const verdict = judgeCommand(securityOf({ denied_names: ['private*'], denied_patterns: ['**/.vault/**'] }).commands, ['du'])
    expect(verdict.ok && [verdict.files, verdict.grammar.adds]).toEqual([['.'], expect.arrayContaining(['--exclude=.ssh', '--exclude=.kube', '--exclude=private*', '--exclude=.vault'])])
  })

  it('carry examples that must come out as they say', () => {
    expect(problemsOf({ rules: [{ kind: 'read', match: ['~/.ssh/a', '/etc/passwd'], not_match: ['~/a'] }, { kind: 'write', match: ['~/.bashrc'] }, { kind: 'command', match: ['date -s x', 'ps e'], not_match: ['date -u'] }] })).toEqual([])
    expect(problemsOf({ rules: [{ kind: 'read', match: ['~/a'], not_match: ['~/.ssh/a'] }, { kind: 'command', match: ['date'] }, { kind: 'x' }, 1, { kind: 'read', match: 'a' }, { kind: 'read', more: 1 }] })).toHaveLength(7)
  })
})

describe('a program that the operator adds', () => {
  const add = (grammar: unknown, name = 'sensors') => ({ commands: { [name]: grammar } })

  it('is judged by its grammar and by nothing looser', () => {
    const { commands } = securityOf(add({ path: '/usr/bin/sensors', options: '-u --json -n=COUNT', operands: [{ type: 'FILE', max: 1 }] }))
    for (const [args, isFine] of [[['-u'], true], [['--json', 'a'], true], [['--js'], false], [['-x'], false], [['a', 'b'], false], [['a;b'], false], [['$(a)'], false], [['-n', 'x'], false], [['~'], false]] as const) expect([args, judgeCommand(commands, ['sensors', ...args]).ok]).toEqual([args, isFine])
  })

  it('has an absolute path, a plain name and a grammar that can be read', () => {
    for (const [grammar, name] of [
      [{}], [{ path: 'sensors' }], [{ path: './a' }], [{ path: '/usr/../tmp/a' }], [{ path: '/usr/bin/a b' }], [{ path: '/usr/bin/a\n' }], [{ path: '/a', options: 1 }], [{ path: '/usr/bin/a', options: 'help' }], [{ path: '/usr/bin/a', options: '--x=NOTHING' }],
      [{ path: '/usr/bin/a', operands: [{ type: 'ANY' }] }], [{ path: '/usr/bin/a', operands: [{ type: 'FILE', min: -1 }] }], [{ path: '/usr/bin/a', operands: [{ type: 'FILE', min: 2, max: 1 }] }], [{ path: '/usr/bin/a', operands: [{ type: 'constructor' }] }], [{ path: '/usr/bin/a', sees: ['all'] }], [{ path: '/usr/bin/a', takesAnyText: true }],
      [{ path: '/usr/bin/a' }, '../a'], [{ path: '/usr/bin/a' }, 'a b'], [{ path: '/usr/bin/a' }, ''], ['x'], [null],
    ] as const) expect([grammar, name, problemsOf(add(grammar, name))]).toEqual([grammar, name, [expect.any(String)]])
  })

  it('is never one whose safety lies with files that somebody else wrote', () => {
    for (const name of ['git', 'npm', 'docker', 'kubectl', 'find', 'grep', 'rg', 'ls', 'diff']) expect([name, problemsOf({ allowed_commands: [name] })]).toEqual([name, [expect.stringContaining('is not run')]])
    for (const name of ['bash', 'constructor', '__proto__']) expect([name, problemsOf({ allowed_commands: [name] }).length]).toEqual([name, 1])
    expect([...securityOf({ allowed_commands: ['cat', 'date'] }).commands.keys()]).toEqual(['cat', 'date'])
  })
})

describe('a section that cannot be applied', () => {
  it('is none, and everything that is wrong with it is said at once', () => {
    expect(problemsOf({ tool_overrides: { write_file: 'MAYBE', nothing: 'SAFE' }, allowed_roots: ['x'], default_shell_access: 'yes', allow_restricted: ['nothing'], more: 1, denied_patterns: ['['] })).toHaveLength(7)
    for (const list of ['allow_paths', 'denied_patterns', 'denied_names', 'excepted_patterns', 'write_protected']) expect([list, problemsOf({ [list]: null }).length]).toEqual([list, 1])
    for (const section of [1, 'x', [], null]) expect(problemsOf(section)).toHaveLength(1)
  })

  it('has one end for each key, whatever stands there: it is applied or it is said', () => {
    const key = fc.constantFrom('tool_overrides', 'allow_restricted', 'allowed_roots', 'default_shell_access', 'allow_paths', 'denied_patterns', 'denied_names', 'excepted_patterns', 'write_protected', 'allowed_commands', 'commands', 'rules', 'other')
    fc.assert(fc.property(fc.dictionary(key, fc.anything()), (section) => {
      const parsed = parse(section)
      expect(parsed.ok ? [] : parsed.problems.length > 0 ? [] : ['silent']).toEqual([])
      // What is no list of texts never becomes one in silence.
      if (parsed.ok && section['denied_names'] !== undefined) expect(Array.isArray(section['denied_names'])).toBe(true)
    }))
  })

  it('sets no level but a known one, for no tool but a known one', () => {
    expect([...securityOf({ tool_overrides: { write_file: 'DENIED', delete_file: 'SAFE' } }).overrides]).toEqual([['write_file', 'DENIED'], ['delete_file', 'SAFE']])
    for (const level of ['safe', '', 0, null, ['SAFE'], { level: 'SAFE' }]) expect([level, problemsOf({ tool_overrides: { write_file: level } }).length]).toEqual([level, 1])
  })
})
