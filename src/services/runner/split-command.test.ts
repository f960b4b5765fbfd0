import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitCommand } from './split-command.ts'

it.each([
  ['', []],
  ['  \t ', []],
  ['pytest -q', ['pytest', '-q']],
  ['a  "b c"\t\'d e\'', ['a', 'b c', 'd e']],
  ['a"b"\'c\'d', ['abcd']],
  ['""', ['']],
  ['\\a\\ b', ['a b']],
  ['"\\"\\a\\\\"', ['"\\a\\']],
  ["'\\'", ['\\']],
  ['a $HOME `id` * ; b && c > d', ['a', '$HOME', '`id`', '*', ';', 'b', '&&', 'c', '>', 'd']],
])('splits %j', (text, argv) => {
  expect(splitCommand(text)).toEqual({ ok: true, argv })
})

it.each(['"open', "'open", 'a "b\\"', 'end\\'])('does not guess what %j means', (text) => {
  expect(splitCommand(text)).toMatchObject({ ok: false })
})

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

it('gives back any words that were quoted', () => {
  fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
    expect(splitCommand(words.map(quote).join(' '))).toEqual({ ok: true, argv: words })
  }))
})

it('splits as a shell does whatever has no meaning beyond quoting', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', "'", '"', '\\', '\t'), maxLength: 12 })
  fc.assert(fc.property(fc.array(text, { minLength: 60, maxLength: 60 }), (texts) => {
    const good = texts.map((one) => [one, splitCommand(one)] as const).filter(([, split]) => split.ok)
    // One shell for many texts: each is its own line of arguments, ended by a mark that no text holds.
    const script = good.map(([one]) => `for word in ${one}\ndo printf '%s\\n' "[$word]"; done; echo =`).join('\n')
    const shell = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })
    expect(shell).toBe(good.map(([, split]) => `${split.ok ? split.argv.map((word) => `[${word}]\n`).join('') : ''}=\n`).join(''))
  }), { numRuns: 10 })
})
