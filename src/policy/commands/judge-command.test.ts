import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Grammar } from './grammar.ts'
import { judgeCommand } from './judge-command.ts'
import type { CommandTable } from './judge-command.ts'
import { READING_PROGRAMS } from './reading-programs.ts'
import { SYSTEM_PROGRAMS } from './system-programs.ts'

const TABLE: CommandTable = new Map(Object.entries({ ...SYSTEM_PROGRAMS, ...READING_PROGRAMS }))
const SYSTEM: CommandTable = new Map(Object.entries(SYSTEM_PROGRAMS))
const why = (words: readonly string[], table = TABLE): string => {
  const verdict = judgeCommand(table, words)
  return verdict.ok ? 'ok' : verdict.why
}
const judged = (grammar: Omit<Grammar, 'places'>, ...args: readonly string[]): string => why(['x', ...args], new Map([['x', { places: [], ...grammar }]]))
const optionsOf = ({ options = '' }: { readonly options?: string }): readonly string[] => options.split(/\s+/).filter(Boolean)

describe('a program', () => {
  it('is one of the table, by its bare name as it is written there', () => {
    for (const name of ['bash', 'DATE', 'Date', '/usr/bin/date', './date', 'date ', ' date', 'dａte', 'constructor', '__proto__', 'toString', 'hasOwnProperty']) expect([name, why([name])]).toEqual([name, 'program'])
    expect(why([])).toBe('empty')
    expect(why([''])).toBe('empty')
  })

  it('is not found by any text that is none of the names', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (name) => TABLE.has(name) || why([name]) !== 'ok'))
  })
})

describe('a word', () => {
  it('holds no control character, no line separator and no half of a pair, whatever the program takes', () => {
    const bad = fc.constantFrom('\0', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u2028', '\u2029', '\ud800', '\udc00')
    fc.assert(fc.property(fc.constantFrom(...TABLE.keys()), fc.string({ maxLength: 5 }), bad, fc.string({ maxLength: 5 }), (name, before, sign, after) => (sign === '\n' && TABLE.get(name)?.takesLines === true) || why([name, before + sign + after]) !== 'ok'))
    expect(why(['echo', 'a\nb'])).toBe('character')
    expect(['.a\n| .b', '.a\r\n| .b', '.a\u0085'].map((filter) => why(['jq', filter, 'a.json']))).toEqual(['ok', 'character', 'character'])
    expect([['.', 'a\nb'], ['--indent', '1\n', '.']].map((words) => why(['jq', ...words]))).toEqual(['operand', 'value'])
  })

  it('holds nothing that a shell would read, for the programs of the system', () => {
    for (const sign of ';|&`$<>*?[](){}~!\\\'"#') expect([sign, why(['date', `+%Y${sign}`]), why(['df', `a${sign}`])]).toEqual([sign, 'metacharacter', 'metacharacter'])
  })

  it('may not be too long, nor may there be too many', () => {
    expect(why(['echo', 'x'.repeat(4_096)])).toBe('ok')
    expect(why(['echo', 'x'.repeat(4_097)])).toBe('too-long')
    expect(why(['echo', ...Array.from({ length: 64 }, () => 'x')])).toBe('too-long')
  })
})

describe('an option', () => {
  const listed = { options: '-a -b -n=COUNT -c[=COUNT] --all --lines=COUNT --color[=WORD]' }

  it('is spelled as it is listed: shortened, lengthened and in other letters it is unknown', () => {
    for (const word of ['--al', '--a', '--alll', '--All', '-A', '--line=1', '--lin', '--colo', '--', '---all', '-–all']) expect([word, judged(listed, word)]).toEqual([word, word === '--' ? 'ok' : 'option'])
  })

  it('is bundled only where each letter is listed, and takes the rest of the word as its value where it has one', () => {
    expect(['-ab', '-ba', '-abn5', '-abc5', '-aabb'].map((word) => judged(listed, word))).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
    expect(['-az', '-za', '-a-', '-a b', '-', '-aé'].map((word) => judged(listed, word))).toEqual(['option', 'option', 'option', 'option', 'option', 'option'])
    expect(['-anb', '-nb', '-n5a', '-n-1'].map((word) => judged(listed, word))).toEqual(['value', 'value', 'value', 'value'])
  })

  it('has a value exactly where one is listed', () => {
    expect(judged(listed, '--all=1')).toBe('option')
    expect(judged(listed, '--lines')).toBe('value')
    expect(judged(listed, '-n')).toBe('value')
    expect(judged(listed, '--lines', '5')).toBe('ok')
    expect(judged(listed, '--color', 'red')).toBe('operand')
    expect(judged(listed, '-c', '5')).toBe('operand')
  })

  it('after two dashes is an operand', () => {
    expect(judged({ ...listed, operands: [{ type: 'WORD' }] }, '--', 'all')).toBe('ok')
    expect(judged({ ...listed, operands: [{ type: 'WORD' }] }, '--', '--all')).toBe('operand')
  })

  it('keeps its value in a word of its own where glued letters could be read as options', () => {
    expect(judged({ options: '-a -u=WORD', valuesApart: true }, '-au', 'me')).toBe('ok')
    expect(judged({ options: '-a -u=WORD', valuesApart: true }, '-aume')).toBe('value')
  })

  it('comes first where a word without a dash would be read as options', () => {
    for (const words of [['xf', 'a.tar'], ['tf', 'a.tar'], ['cf', 'a.tar', 'b'], ['a', '-tf', 'a.tar'], []]) expect([words, why(['tar', ...words])]).toEqual([words, 'option'])
    expect(why(['tar', '-tf', 'a.tar', 'docs/x'])).toBe('ok')
  })

  it('that is cut short passes nowhere, whichever of all that are listed it was', () => {
    const passed: string[] = []
    for (const [name, grammar] of TABLE) {
      for (const part of [grammar, ...Object.values(grammar.subcommands ?? {})]) {
        const long = optionsOf(part).flatMap((spec) => /^--[\w-]+/.exec(spec)?.[0] ?? [])
        for (const option of long) {
          for (let end = 3; end < option.length; end += 1) {
            const cut = option.slice(0, end)
            if (!long.includes(cut) && !/^--(?:help|version)$/.test(cut) && [cut, `${cut}=1`].some((word) => judged(part, word) !== 'option')) passed.push(`${name} ${cut}`)
          }
        }
      }
    }
    expect(passed).toEqual([])
  })
})

describe('what is not listed', () => {
  it('is denied, whichever letter or word it is', () => {
    for (const [name, grammar] of SYSTEM) {
      const letters = new Set([...optionsOf(grammar).map((spec) => spec.split(/[[=]/)[0]), ...(grammar.tellsOfItself ?? [])])
      for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
        if (letters.has(`-${letter}`)) continue
        expect([name, letter, why([name, `-${letter}`]), why([name, `-${letter}x`]), why([name, `-${letter}`, 'x'])]).toEqual([name, letter, expect.not.stringMatching(/^ok$/), expect.not.stringMatching(/^ok$/), expect.not.stringMatching(/^ok$/)])
      }
    }
  })

  it('is denied in any position among what is', () => {
    const benign = fc.constantFrom(...SYSTEM.keys())
    fc.assert(fc.property(benign, fc.stringMatching(/^--[a-z]{3,9}(?:=\w{0,5})?$/), (name, word) => {
      const known = [...SYSTEM.values()].flatMap((grammar) => [grammar, ...Object.values(grammar.subcommands ?? {})]).flatMap(optionsOf).map((spec) => spec.split(/[[=]/)[0])
      return known.includes(word.split('=')[0]) || /^--(?:help|version)$/.test(word) || why([name, word]) !== 'ok'
    }))
  })

  it('has no exception for a word that changes something', () => {
    for (const [words, reason] of [[['systemctl', 'restart', 'x'], 'mutation'], [['ip', 'link', 'set', 'lo', 'up'], 'mutation'], [['df', 'rm'], 'mutation']] as const) expect(why(words)).toBe(reason)
  })
})

describe('a file', () => {
  const files = (...words: readonly string[]): readonly string[] | string => {
    const verdict = judgeCommand(TABLE, words)
    return verdict.ok ? verdict.files : verdict.why
  }

  it('is told to the path policy, wherever it stands', () => {
    expect(files('du', '-s', 'a', '--', '-b')).toEqual(['a', '-b'])
    expect(files('tar', '-tvfa.tar')).toEqual(['a.tar'])
    expect(files('tar', '-t', '--file', 'a.tar')).toEqual(['a.tar'])
    expect(files('jq', '.', 'a.json')).toEqual(['a.json'])
    expect(files('tail', 'a')).toEqual(['a'])
    expect(files('find', '.', '-anewer', 'a')).toEqual(['a', '.'])
  })

  it('is the working folder where a program looks at that by itself', () => {
    expect(files('du', '-s')).toEqual(['.'])
    expect(files('df')).toEqual([])
  })

  it('is not the root of all volumes, of which df tells by itself', () => {
    expect([['/'], ['-h', '/', '/etc'], ['//'], ['/.']].map((words) => files('df', ...words))).toEqual([[], ['/etc'], ['//'], ['/.']])
    expect(files('du', '/')).toEqual(['/'])
  })

  it('is no word that a program and the path policy take for two places', () => {
    for (const word of ['~', '~/a', '~root', 'a/..', 'a/../b', './a/../b', '/a/../b', '../a/../b', 'a/./../b', 'a//..', '/..']) expect([word, files('cat', word)]).toEqual([word, 'operand'])
    for (const word of ['..', '../a', '../../a', './../a', '.', './a', 'a/./b', 'a..b', '..a', 'a/..b', '/a/b', 'a~']) expect([word, files('cat', word)]).toEqual([word, [word]])
  })

  it('is not standard input', () => {
    expect(files('cat', '-')).toBe('option')
    expect(files('cat', '--', '-')).toBe('operand')
    expect(files('tar', '-tf', '-')).toBe('value')
  })
})

describe('the listing of processes', () => {
  it('takes nothing that makes the program read its words a second time, where -e means the environment', () => {
    for (const words of ['-e -H -T', '-eTH', '-uaxe', '-Caxe', '-taxe', '-T', '-L', '-a', '-d', 'e', 'axe', 'auxe', '-e aux', 'aux -e', '-o args', '-o pid,cmd', '-o environ', '-eo comm,args']) expect([words, why(['ps', ...words.split(' ')])]).toEqual([words, expect.not.stringMatching(/^ok$/)])
    for (const words of ['-e -u -t', '-eu -t', '-u -et', '-e --user=-T', '-e --user -T', '-e -U -t', '-e -C -t', '-e -t -t', '-e -p -t', '-aux e', '-aux -e', 'ax -e', 'ax -o environ']) expect([words, why(['ps', ...words.split(' ')])]).toEqual([words, expect.not.stringMatching(/^ok$/)])
    for (const words of ['-aux', '-aux --sort=-rss', 'faux', 'ax -o pid,comm', '-t pts/0', '-u _apt', '-e --sort -rss', 'aux', 'ax', 'aux --sort=-%mem', '-ef', '-e -o pid,comm', '-eo pid', '-u root', '-eH', '-p 1']) expect([words, why(['ps', ...words.split(' ')])]).toEqual([words, 'ok'])
  })
})
