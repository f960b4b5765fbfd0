import { describe, expect, it } from 'vitest'
import { namesFrom } from './workspace-place.ts'
import type { Ground } from './workspace-place.ts'
import { CONFINED_TOOLS, MODES, inherit, isDenied, judge, mutates, parseMode, parseRules } from './workspace-rules.ts'
import type { ConfinedCall, Denied, Mode, Rule } from './workspace-rules.ts'

const root = namesFrom('/home/me/repo', [])
const ground: Ground = { root, own: [namesFrom('/home/me/repo/data', [])] }

function rulesOf(...raw: readonly object[]): readonly Rule[] {
  const parsed = parseRules(raw)
  if (!parsed.ok) throw new TypeError(parsed.problems.join())
  return parsed.rules
}

const decide = (mode: Mode, tool: string, path: string | undefined, rules: readonly Rule[] = []): Denied | 'runs' =>
  judge({ mode, tool, paths: path === undefined ? [] : [namesFrom(path, root)] }, inherit(rules, ground), ground) ?? 'runs'

describe('a permission mode', () => {
  it.each(['yolo', 'YOLO', 'Yolo ', ' y-o-l-o', 'ｙｏｌｏ', 'yo\u200blo', 'bypassPermissions', 'dangerously-skip-permissions'])('%j approves everything and is refused as that', (word) => {
    expect(parseMode(word)).toEqual({ ok: false, why: 'approves-all' })
  })

  it.each(['', 'Plan', 'acceptedits', 'accept-edits', 'constructor', 'auto'])('%j is none', (word) => {
    expect(parseMode(word)).toEqual({ ok: false, why: 'unknown' })
  })

  it.each(MODES)('%s is one', (mode) => {
    expect(parseMode(mode)).toEqual({ ok: true, mode })
  })
})

/** What each mode gives in each place: reads, writes. */
const TABLE: Readonly<Record<string, readonly [path: string, read: Denied | 'runs', write: Readonly<Record<Mode, Denied | 'runs'>>]>> = {
  inside: ['src/a.ts', 'runs', { plan: 'mode', default: 'unmatched', acceptEdits: 'runs' }],
  guarded: ['.git/hooks/pre-commit', 'runs', { plan: 'guarded', default: 'guarded', acceptEdits: 'guarded' }],
  outside: ['../other/a.ts', 'outside', { plan: 'outside', default: 'outside', acceptEdits: 'outside' }],
  own: ['deep/.arrowhead/config.json', 'own', { plan: 'own', default: 'own', acceptEdits: 'own' }],
  home: ['data/sessions.sqlite', 'own', { plan: 'own', default: 'own', acceptEdits: 'own' }],
  credential: ['.env', 'credential', { plan: 'credential', default: 'credential', acceptEdits: 'credential' }],
}

describe.each(MODES)('mode %s', (mode) => {
  it.each(Object.entries(TABLE))('decides a call %s as the table says', (_place, [path, read, write]) => {
    for (const tool of CONFINED_TOOLS) expect([tool, decide(mode, tool, path)]).toEqual([tool, mutates(tool) ? write[mode] : read])
  })

  it.each(['run_command', 'bash', 'fetch', 'websearch', 'subagent', 'search_code', 'READ', 'read ', 'constructor', 'mcp__x__read'])('denies %s by name whatever the rules say', (tool) => {
    const rules: readonly Rule[] = [{ tool, action: 'allow', path: ['**'], isAbsolute: false }, { tool, action: 'allow', path: undefined, isAbsolute: false }]
    expect(decide(mode, tool, '.', rules)).toBe('tool')
  })

  it('denies a call that names no path', () => {
    for (const tool of CONFINED_TOOLS) expect(decide(mode, tool, undefined)).toBe('no-path')
  })

  it('looks at the path that a link leads to as well', () => {
    const call = { mode, tool: 'read', paths: [namesFrom('notes.txt', root), namesFrom('.env', root)] }
    expect(judge(call, [], ground)).toBe('credential')
    expect(judge({ ...call, paths: [namesFrom('vendor/a', root), namesFrom('/home/other/a', root)] }, [], ground)).toBe('outside')
  })
})

describe('a rule that allows', () => {
  it.each(['/home/me/repo/src/**', 'src/**', '/home/me/repo/./src/*', '**/*.ts', '/home/me/repo/x/../src/a.ts'])('is kept where it names a path inside: %s', (path) => {
    expect(inherit(rulesOf({ tool: 'write', action: 'allow', path }), ground)).toHaveLength(1)
  })

  it.each(['/home/me/**', '/**', '/home/me/repo-2/**', '/home/me/re*/**', '/home/me/*/src/**', '/home/*/repo/**', '/home/me/repo/../x', '/etc/passwd', '/home/me'])('is dropped where it names anything else: %s', (path) => {
    expect(inherit(rulesOf({ tool: 'read', action: 'allow', path }), ground)).toEqual([])
  })

  it.each([{ tool: 'bash', path: '*' }, { tool: '*', path: 'src/**' }, { tool: 'read' }, { tool: '*' }, { tool: 'fetch', path: 'src/**' }])('is dropped without a path or for a tool whose subject is none: %j', (rule) => {
    expect(inherit(rulesOf({ ...rule, action: 'allow' }), ground)).toEqual([])
  })

  it('lets a write run that the mode leaves open, and never one that the mode or a wall denies', () => {
    const rules = rulesOf({ tool: 'write', action: 'allow', path: 'src/**' }, { tool: 'write', action: 'allow', path: '.env' }, { tool: 'write', action: 'allow', path: '.git/**' })
    expect(decide('default', 'write', 'src/a.ts', rules)).toBe('runs')
    expect(decide('default', 'edit', 'src/a.ts', rules)).toBe('unmatched')
    expect(decide('plan', 'write', 'src/a.ts', rules)).toBe('mode')
    expect(decide('acceptEdits', 'write', '.env', rules)).toBe('credential')
    expect(decide('acceptEdits', 'write', '.git/hooks/x', rules)).toBe('guarded')
  })
})

describe('a rule that denies', () => {
  it.each(['/**', '**', 'src/**', '/home/me/repo/src', '/home/**/a.ts', 'SRC/**', undefined])('is kept and holds, wherever it starts: %s', (path) => {
    const rules = rulesOf({ tool: 'read', action: 'deny', ...(path !== undefined && { path }) })
    expect(decide('acceptEdits', 'read', 'src/a.ts', rules)).toBe('rule')
  })

  it.each(['SRC/a.ts', 'src./a.ts', 'src /a.ts', 's\u200brc/a.ts', '\uff53rc/a.ts', '\u017frc/a.ts', 'src::$DATA/a.ts'])('holds for every spelling that some file system takes for the same name: %j', (path) => {
    expect(decide('acceptEdits', 'read', path, rulesOf({ tool: 'read', action: 'deny', path: 'src/**' }))).toBe('rule')
    expect(decide('acceptEdits', 'read', path, rulesOf({ tool: 'read', action: 'deny', path: 'sr/**' }))).toBe('runs')
  })

  it('holds for a pattern whose own letters have other spellings', () => {
    for (const [pattern, path] of [['Stra\u00dfe/**', 'STRASSE/a'], ['stra?e', 'stra\u00dfe'], ['\uff4eotes', 'notes'], ['a\u200bb', 'a\u200bb'], ['end.', 'end.']] as const) expect([pattern, decide('plan', 'read', path, rulesOf({ tool: 'read', action: 'deny', path: pattern }))]).toEqual([pattern, 'rule'])
  })

  it('holds for the tools that would do the same', () => {
    const rules = rulesOf({ tool: 'edit', action: 'deny', path: 'src/**' }, { tool: 'read', action: 'deny', path: 'docs/**' })
    for (const tool of ['write', 'edit', 'multiedit']) expect(decide('acceptEdits', tool, 'src/a.ts', rules)).toBe('rule')
    expect(decide('plan', 'grep', 'docs/a.md', rules)).toBe('rule')
    expect(decide('plan', 'ls', 'docs', rules)).toBe('runs')
    expect(isDenied(rules, 'search_code', [namesFrom('docs/a.md', root)], ground)).toBe(true)
  })

  it('also stands for one that would ask, because nobody is there', () => {
    expect(decide('acceptEdits', 'write', 'src/a.ts', rulesOf({ tool: 'write', action: 'ask' }))).toBe('rule')
  })
})

describe('the lattice of rules', () => {
  const POOL = rulesOf(
    { tool: 'read', action: 'deny', path: 'src/**' }, { tool: 'write', action: 'deny', path: '/home/me/repo/src/a.ts' }, { tool: '*', action: 'deny', path: 'docs' }, { tool: 'edit', action: 'ask' },
    { tool: 'write', action: 'allow', path: 'src/**' }, { tool: 'read', action: 'allow', path: '/home/me/**' }, { tool: 'edit', action: 'allow', path: '**' }, { tool: '*', action: 'allow' }, { tool: 'bash', action: 'allow', path: '**' },
  )
  const PATHS = ['src/a.ts', 'src/b.ts', 'docs/x.md', '.', '.env', '.git/config', '.git/hooks/x', '../x', '/home/me/.bashrc', '.arrowhead/config.json', 'data/x']
  const TOOLS = [...CONFINED_TOOLS, 'bash', 'fetch']
  const SUBSETS = Array.from({ length: 2 ** POOL.length }, (_, bits) => POOL.filter((_rule, at) => (bits >> at) & 1))
  const CALLS: readonly ConfinedCall[] = TOOLS.flatMap((tool) => PATHS.flatMap((path) => MODES.map((mode) => ({ mode, tool, paths: [namesFrom(path, root)] }))))
  const open = (rules: readonly Rule[]): ReadonlySet<number> => {
    const kept = inherit(rules, ground)
    return new Set(CALLS.flatMap((call, at) => (judge(call, kept, ground) === undefined ? [at] : [])))
  }
  const all = SUBSETS.map(open)
  const bare = open([])

  it('opens nothing by a rule that denies, and closes nothing by one that allows', () => {
    for (const [bits, set] of all.entries()) {
      for (const [at, rule] of POOL.entries()) {
        if ((bits >> at) & 1) continue
        const more = all[bits | (1 << at)] ?? new Set()
        const [smaller, larger] = rule.action === 'allow' ? [set, more] : [more, set]
        if (smaller.size > larger.size || [...smaller].some((one) => !larger.has(one))) throw new Error(`${JSON.stringify(rule)} beside ${bits}`)
      }
    }
  })

  it('opens beyond the modes only writes inside that a kept rule names', () => {
    for (const set of all) for (const at of set) if (!bare.has(at)) expect(CALLS[at]).toMatchObject({ mode: 'default', tool: expect.stringMatching(/^(?:write|edit)$/) })
  })

  it('gives each mode at least what the one before it gives', () => {
    for (const set of all) for (const at of set) for (let later = at + 1; later % MODES.length !== 0; later += 1) expect(set.has(later)).toBe(true)
  })

  it('never opens what a wall closes', () => {
    const walled = new Set(CALLS.flatMap(({ tool, paths: [names = []] }, at) => (!(CONFINED_TOOLS as readonly string[]).includes(tool) || /repo\/(?:src|docs|\.$)|repo$|hooks/.test(names.join('/')) ? [] : [at])))
    for (const set of all) for (const at of set) expect(walled.has(at)).toBe(false)
  })

  it('does not depend on the order of rules', () => {
    for (const rules of SUBSETS.slice(0, 200)) expect(open([...rules].reverse())).toEqual(open(rules))
  })
})

describe('a list of rules', () => {
  it.each([
    [{}, 'must be a list'], [['x'], 'rule 1: must be an object'], [[{ tool: 'read', action: 'deny', where: 'x' }], 'knows only'], [[{ tool: 'read', action: 'Deny' }], '"action"'],
    [[{ tool: '', action: 'deny' }], '"tool"'], [[{ tool: 'read', action: 'deny', path: '**/{a,b}' }], '"path"'], [[{ tool: 'read', action: 'deny', path: 3 }], '"path"'],
    [Array.from({ length: 1_001 }, () => ({ tool: 'read', action: 'deny' })), 'at most'],
  ])('that could not be held to is a problem, and no rule less: %#', (raw, says) => {
    const parsed = parseRules(raw)
    expect(parsed.ok ? [] : parsed.problems.join()).toContain(says)
  })

  it('may say where it was written, which changes nothing', () => {
    expect(rulesOf({ tool: 'read_session', action: 'deny', scope: 'project' })).toEqual([{ tool: 'read_session', action: 'deny', path: undefined, isAbsolute: false }])
    expect(parseRules(undefined)).toEqual({ ok: true, rules: [] })
  })
})
