/** An entry goes into a client's text and out of it, and nothing else moves. */

import fc from 'fast-check'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { type Client, CLIENTS, ClientFileError, lineDiff, readClientText, type Target, withEntry, withoutEntry } from './index.ts'

const TARGET = { is: 'command', command: '/opt/node', args: ['/opt/arrowhead.js', 'serve', '--docs-root', 'C:\\docs "x"'] } as const
const [COMMAND, ARGS] = [TARGET.command, TARGET.args]
const REMOTE = { is: 'url', url: 'https://mcp.example/mcp', tokenEnv: 'TOKEN' } as const
const MARK = '\uFEFF'

const named = (name: string): Client => {
  const client = CLIENTS.find((one) => one.name === name)
  if (!client) throw new TypeError(name)
  return client
}
const read = (client: Client, text: string) => readClientText(client, new TextEncoder().encode(text))
const textOf = (data: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(data)
const add = (client: Client, text: string, target: Target = TARGET): string => textOf(withEntry({ client, entryName: 'arrowhead' }, read(client, text), target))
const remove = (client: Client, text: string): string => textOf(withoutEntry({ client, entryName: 'arrowhead' }, read(client, text)))

type Held = Readonly<Record<string, Readonly<Record<string, unknown>>>>
const strict = (text: string): unknown => JSON.parse(text)
const lenient = (text: string): unknown => {
  const errors: ParseError[] = []
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true })
  expect(errors).toEqual([])
  return value
}
const READERS: Readonly<Record<string, (text: string) => unknown>> = { json: strict, commented: lenient, jsonc: lenient, toml: parseToml }
const parsed = (client: Client, text: string): unknown => READERS[client.dialect]?.(text.replace(MARK, ''))
const serversIn = (client: Client, text: string, ...holder: readonly string[]): Held => holder.reduce<unknown>((at, key) => (at as Held)[key], parsed(client, text)) as Held

/** Where each client's documentation says that it looks, and what it expects there. */
const EXPECTED: readonly (readonly [name: string, holder: readonly string[], local: object, remote: object | RegExp])[] = [
  ['claude-code', ['mcpServers'], { type: 'stdio', command: COMMAND, args: ARGS }, { type: 'http', url: REMOTE.url, headers: { Authorization: `Bearer \${TOKEN}` } }],
  ['claude-desktop', ['mcpServers'], { command: COMMAND, args: ARGS }, /Connectors/],
  ['cursor', ['mcpServers'], { command: COMMAND, args: ARGS }, { url: REMOTE.url, headers: { Authorization: `Bearer \${env:TOKEN}` } }],
  ['vscode', ['servers'], { type: 'stdio', command: COMMAND, args: ARGS }, { type: 'http', url: REMOTE.url, headers: { Authorization: `Bearer \${env:TOKEN}` } }],
  ['windsurf', ['mcpServers'], { command: COMMAND, args: ARGS }, { serverUrl: REMOTE.url, headers: { Authorization: `Bearer \${env:TOKEN}` } }],
  ['gemini-cli', ['mcpServers'], { command: COMMAND, args: ARGS }, { httpUrl: REMOTE.url, headers: { Authorization: `Bearer \${TOKEN}` } }],
  ['codex', ['mcp_servers'], { command: COMMAND, args: ARGS }, { url: REMOTE.url, bearer_token_env_var: 'TOKEN' }],
  ['zed', ['context_servers'], { command: COMMAND, args: ARGS }, /Zed signs in/],
  ['opencode', ['mcp', 'servers'], { type: 'local', command: [COMMAND, ...ARGS] }, { type: 'remote', url: REMOTE.url, headers: { Authorization: 'Bearer {env:TOKEN}' } }],
]

describe('an entry', () => {
  test('has a row here for every client', () => {
    expect(EXPECTED.map(([name]) => name)).toEqual(CLIENTS.map(({ name }) => name))
  })

  test.each(EXPECTED)('of %s stands where that client looks, in an empty file', (name, holder, local, remote) => {
    const client = named(name)
    expect(serversIn(client, add(client, ''), ...holder)).toEqual({ arrowhead: local })
    if (remote instanceof RegExp) expect(() => add(client, '', REMOTE)).toThrow(remote)
    else expect(serversIn(client, add(client, '', REMOTE), ...holder)).toEqual({ arrowhead: remote })
  })

  test('takes the form that an older OpenCode file has', () => {
    const client = named('opencode')
    const text = '{\n  "mcp": {\n    "other": { "type": "local", "command": ["x"] }\n  }\n}\n'
    expect(Object.keys(serversIn(client, add(client, text), 'mcp'))).toEqual(['other', 'arrowhead'])
    expect(remove(client, add(client, text))).toBe(text)
  })
})

const KEPT: readonly (readonly [what: string, client: string, text: string])[] = [
  ['comments, trailing commas and order', 'zed', '// mine\n{\n\t"z": 1, // one\n\t"context_servers": {\n\t\t// first\n\t\t"b": { "command": "x" }, // of b\n\t\t/* last */\n\t},\n\t"a": [1,\n2],\n}\n// end'],
  ['a comment after the last entry', 'cursor', '{\n  "mcpServers": {\n    "b": {} // of b\n    // "c": {}\n  }\n}\n'],
  ['Windows line ends and no line end at the end', 'claude-desktop', '{\r\n    "mcpServers": {\r\n        "b": {\r\n            "command": "x"\r\n        }\r\n    }\r\n}'],
  ['a byte order mark', 'vscode', `${MARK}{\n  "servers": {\n    "b": {}\n  }\n}\n`],
  ['one line', 'gemini-cli', '{"a":1,"mcpServers":{"b":{"command":"x"}},"c":"}"}'],
  ['numbers that JavaScript would write otherwise', 'claude-code', '{\n  "n": 1.0e2,\n  "big": 12345678901234567890,\n  "s": "\\u0041\\/",\n  "mcpServers": {\n    "b": {}\n  }\n}\n'],
  ['tables, comments and dates', 'codex', '# mine\nmodel = "x" # why\nwhen = 1979-05-27T07:32:00Z\n\n[mcp_servers.b]\ncommand = "x"\nargs = [\n  "[mcp_servers.arrowhead]", # no table\n]\n\n# of c\n[c]\ntext = """\n[mcp_servers.arrowhead]\n"""\n'],
  ['TOML without a last line end', 'codex', 'model = "x"'],
  ['TOML with Windows line ends', 'codex', 'model = "x"\r\n\r\n[a]\r\nb = 1\r\n'],
]

describe('what is not the entry', () => {
  test.each(KEPT)('stays byte for byte: %s', (_, name, text) => {
    const client = named(name)
    const added = add(client, text)
    expect(added).not.toBe(text)
    // What was there is still there, in order: the new text without the inserted characters is the old text.
    expect(isSubsequence(text, added)).toBe(true)
    expect(remove(client, added)).toBe(text)
    expect(remove(client, text)).toBe(text)
  })

  test.each(KEPT)('and adding twice is adding once: %s', (_, name, text) => {
    const client = named(name)
    expect(add(client, add(client, text))).toBe(add(client, text))
  })

  test('a line end is the file’s own', () => {
    expect(add(named('claude-desktop'), '{\r\n  "mcpServers": {}\r\n}').replaceAll('\r\n', '')).not.toContain('\n')
  })
})

const isSubsequence = (part: string, whole: string): boolean => {
  let at = 0
  for (const letter of whole) if (letter === part[at]) at += 1
  return at >= part.length
}

const BROKEN: readonly (readonly [client: string, text: string, why: RegExp])[] = [
  ['claude-code', '{"mcpServers": {', /not valid JSON/],
  ['claude-code', '{}\n// note', /not valid JSON.*line 2/],
  ['gemini-cli', '{"a": 1,}', /not valid JSON/],
  ['cursor', '[]', /not one object/],
  ['cursor', '{"mcpServers": []}', /"mcpServers" is not an object/],
  ['cursor', '{"mcpServers": null}', /"mcpServers" is not an object/],
  ['cursor', '{"mcpServers": {}, "mcpServers": {}}', /"mcpServers" twice/],
  ['cursor', '{"mcpServers": {"arrowhead": 1, "arrowhead": 2}}', /"arrowhead" twice/],
  ['cursor', '['.repeat(200_000), /nested too deeply|not valid JSON/],
  ['codex', 'a = ', /not valid TOML: line 1/],
  ['codex', 'mcp_servers = { b = { command = "x" } }', /inline table/],
  ['codex', 'mcp_servers.arrowhead.command = "x"', /form that is not edited|inline table/],
  ['codex', '[mcp_servers]\narrowhead = { command = "x" }', /form that is not edited/],
]

describe('a text that cannot be changed safely', () => {
  test.each(BROKEN)('of %s is refused (%#)', (name, text, why) => {
    expect(() => add(named(name), text)).toThrow(ClientFileError)
    expect(() => add(named(name), text)).toThrow(why)
  })

  test('is one that is not UTF-8', () => {
    expect(() => readClientText(named('cursor'), Uint8Array.of(0xff, 0xfe, 0x7b, 0))).toThrow(/UTF-8/)
  })
})

const key = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/), fc.string({ maxLength: 6 })).filter((one) => one !== 'arrowhead' && one !== '__proto__')
const space = fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', ' // note, } ]\n', '/* { " */', '\n// "arrowhead": {},\n')
const comma = fc.constantFrom('', ',')
const scalar = fc.oneof(fc.string({ maxLength: 12 }).map((text) => JSON.stringify(text)), fc.constantFrom('1', '-0.5e3', 'true', 'null', '[]', '[1, /* x */ 2]', '{}', '{ "arrowhead": 1 }'))
const members = (value: fc.Arbitrary<string>) => fc.uniqueArray(fc.tuple(space, key, space, value, space), { maxLength: 4, selector: ([, name]) => name })
const object = (value: fc.Arbitrary<string>) => fc.tuple(members(value), comma, space).map(([list, last, end]) =>
  `{${list.map(([lead, name, mid, held, tail]) => `${lead}${JSON.stringify(name)}:${mid}${held}${tail}`).join(',')}${list.length > 0 ? last : ''}${end}}`)
const file = fc.tuple(space, members(object(scalar)), object(object(scalar)), space).map(([lead, list, servers, tail]) =>
  `${lead}{${[...list.filter(([, name]) => name !== 'context_servers').map(([, name, mid, held]) => `${JSON.stringify(name)}:${mid}${held}`), `"context_servers": ${servers}`].join(',')}}${tail}`)

describe('any file with comments', () => {
  test('keeps every byte that is not the entry’s, and is whole again when the entry is out', () => {
    fc.assert(fc.property(file, (text) => {
      const client = named('zed')
      const added = add(client, text)
      expect(isSubsequence(text, added)).toBe(true)
      const { arrowhead, ...others } = serversIn(client, added, 'context_servers')
      expect(arrowhead).toEqual({ command: COMMAND, args: ARGS })
      expect(others).toEqual(serversIn(client, text, 'context_servers'))
      const again = remove(client, added)
      expect(parsed(client, again)).toEqual(parsed(client, text))
      expect(again.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
    }), { numRuns: 400 })
  })
})

const line = fc.constantFrom('a = 1', '# note', '', 'b.c = "[x]"', 'd = """', '"""', "e = '''", "'''", '[t]', '[mcp_servers.other]', 'command = "x" # y', '[[list]]', 'f = [', ']', '  "[mcp_servers.arrowhead]",', '[mcp_servers.arrowhead.env]', '[mcp_servers.arrowhead]', '[mcp_servers."arrow.head"]')

describe('any TOML file', () => {
  test('is refused, or has the entry and all that it had', () => {
    fc.assert(fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, eol, isClosed) => {
      const client = named('codex')
      const text = lines.join(eol) + (isClosed ? eol : '')
      let before: Record<string, unknown>
      try {
        before = parseToml(text)
      } catch {
        expect(() => add(client, text)).toThrow(ClientFileError)
        return
      }
      const added = add(client, text)
      const after = parseToml(added) as Record<string, unknown>
      expect((after as unknown as Record<string, Held>)['mcp_servers']?.['arrowhead']).toEqual({ command: COMMAND, args: ARGS })
      const others = (root: Record<string, unknown>) => ({ ...root, mcp_servers: { ...(root['mcp_servers'] as object), arrowhead: null } })
      expect(others(after)).toEqual(others(before))
      expect(parseToml(remove(client, added))).toEqual(parseToml(remove(client, text)))
    }), { numRuns: 400 })
  })
})

describe('a diff', () => {
  test('shows the lines that changed and two around them', () => {
    expect(lineDiff('a\nb\nc\nd\ne\n', 'a\nb\nc\nX\nd\ne\n')).toEqual(['@@ line 2 @@', ' b', ' c', '+X', ' d', ' e'])
    expect(lineDiff('a\n', 'a\n')).toEqual([])
  })
})
