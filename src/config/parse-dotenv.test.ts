import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDotenv } from './parse-dotenv.ts'

const read = (text: string) => Object.fromEntries(parseDotenv(text).entries.map(({ name, value }) => [name, value]))

describe('the text of a .env file', () => {
  it.each([
    ['A=1', { A: '1' }],
    ['  export A = 1  ', { A: '1' }],
    ['\uFEFFA=1\r\nB=2\rC=3', { A: '1', B: '2', C: '3' }],
    ['# note\n\nA=1 # why', { A: '1' }],
    ['A= # why', { A: '' }],
    ['A=#1', { A: '#1' }],
    ['A=a#b', { A: 'a#b' }],
    ['A=', { A: '' }],
    ['A=k=v==', { A: 'k=v==' }],
    ['A="a b" # why', { A: 'a b' }],
    ["A='a\\n$B'", { A: 'a\\n$B' }],
    ['A="a\\n\\"b\\" \\$c \\\\ \\q"', { A: 'a\n"b" $c \\ \\q' }],
    ['A="one\ntwo # not a comment\nthree"\nB=2', { A: 'one\ntwo # not a comment\nthree', B: '2' }],
    ["A='one\ntwo'", { A: 'one\ntwo' }],
    ['A=$HOME ${B} `id`', { A: '$HOME ${B} `id`' }],
    ["A=it's", { A: "it's" }],
  ])('%j reads as %j', (text, values) => {
    expect(parseDotenv(text).problems).toEqual([])
    expect(read(text)).toEqual(values)
  })

  it.each([
    ['A=1\nnonsense\nB=2', 2, { A: '1', B: '2' }],
    ['1A=1', 1, {}],
    ['A=1\nB="never\nC=3', 2, { A: '1', C: '3' }],
    ['A="x" y\nB=2', 1, { B: '2' }],
    ['A="one\ntwo"\n???', 3, { A: 'one\ntwo' }],
  ])('%j has a problem on line %i and the rest is read', (text, line, values) => {
    expect(parseDotenv(text).problems.map((problem) => problem.line)).toEqual([line])
    expect(read(text)).toEqual(values)
  })

  it('keeps every mention of a name, with its line', () => {
    expect(parseDotenv('A=1\n\nA=2').entries).toEqual([
      { name: 'A', value: '1', line: 1 },
      { name: 'A', value: '2', line: 3 },
    ])
  })
})

const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,10}$/)
const escaped = (value: string) =>
  value.replaceAll(/[\\"$\n\r\t]/g, (c) => `\\${{ '\n': 'n', '\r': 'r', '\t': 't' }[c] ?? c}`)

describe('whatever is written', () => {
  it('in double quotes with escapes is read back unchanged', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, fc.string({ unit: 'grapheme' })), { selector: ([key]) => key }),
        (pairs) => {
          const text = pairs.map(([key, value]) => `export ${key}="${escaped(value)}" # note`).join('\n')
          expect(parseDotenv(text)).toMatchObject({
            problems: [],
            entries: pairs.map(([key, value]) => ({ name: key, value })),
          })
        },
      ),
    )
  })

  it('in double quotes over several lines is read back unchanged', () => {
    const lines = fc.array(fc.stringMatching(/^[a-z =#']{0,8}$/), { minLength: 1 })
    fc.assert(
      fc.property(name, lines, (key, parts) => {
        const value = parts.join('\n')
        expect(parseDotenv(`${key}="${value}"\nZ9=end`).entries.slice(0, 2)).toMatchObject([
          { value },
          { name: 'Z9', line: parts.length + 1 },
        ])
      }),
    )
  })

  it('in single quotes is taken literally', () => {
    fc.assert(
      fc.property(name, fc.string(), (key, raw) => {
        const value = raw.replaceAll(/['\r]/g, '')
        expect(read(`${key}='${value}'`)).toEqual({ [key]: value })
      }),
    )
  })

  it('never throws, and every problem names a line that exists', () => {
    const noise = fc.array(fc.constantFrom('A', '=', '"', "'", '#', '\\', '\n', ' ', 'export ', '\r\n', '\u0000'), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(noise, (parts) => {
        const text = parts.join('')
        const lines = text.split('\n').length
        for (const { line } of parseDotenv(text).problems) expect(line >= 1 && line <= lines).toBe(true)
      }),
    )
  })

  it('of a few megabytes in one quoted value is read', () => {
    const value = 'x\\y'.repeat(1_000_000)
    expect(
      parseDotenv(`A='${value}'\nB="${'y'.repeat(2_000_000)}"`).entries.map((entry) => entry.value.length),
    ).toEqual([3_000_000, 2_000_000])
  })
})
