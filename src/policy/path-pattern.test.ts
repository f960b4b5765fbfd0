import { describe, expect, it } from 'vitest'
import { covers, parsePattern } from './path-pattern.ts'

const problemOf = (text: string): string => {
  const parsed = parsePattern(text)
  return parsed.ok ? 'none' : parsed.problem
}
const matches = (pattern: string, path: string): boolean | string => {
  const parsed = parsePattern(pattern)
  return parsed.ok ? covers(parsed.pattern, path.split('/')) : parsed.problem
}

describe('a sign that other languages of patterns read otherwise', () => {
  it.each<readonly [kind: string, says: string, instead: string, patterns: readonly string[]]>([
    ['a choice in braces', 'has { or }', '[{]', ['**/*.{ts,md}', '{src,docs}/**', 'src/{env,x}.ts', 'a}', '${HOME}/x', '{{x}}']],
    ['an extended group', 'before (', '[(]', ['!(x)', '@(src)/**', '+(src)/env.ts', 'src/?(env).ts', 'src/*(env).ts', 'src/x@(a|b)', '**/*(1).pdf', '@(src/a)/b']],
    ['a choice by |', 'has |', '[|]', ['src/(env|x).ts', '(src|docs)/**', '(src/a|docs/b)/x', 'src|docs']],
    ['a turned pattern', 'begins with !', '/!', ['!src', '!**/x', '!']],
    ['a home folder', 'begins with ~', '[~]', ['~', '~/src/**', '~root/x']],
    ['a variable', 'begins with $', '[$]', ['$PWD/src/**', '/$HOME/x', 'src/$TARGET/**', '$(pwd)/x']],
    ['a blank at an edge', 'blank', '[ ]', [' src/**', 'src/** ', 'src/env.ts\u00a0', '\ufeffsrc', ' src/**/', '/ src', 'src /', 'src /**', 'src\u200b', '\u2060src']],
    ['a class of letters', '[a-z]', '[ last', ['src/[[:alpha:]]nv.ts', '[![:digit:]]x', '[a[.x.]]', '[[=e=]]', '[[:alpha:']],
  ])('is a problem that says what to write: %s', (_, says, instead, patterns) => {
    for (const pattern of patterns) {
      const problem = problemOf(pattern)
      expect([pattern, problem, problem.includes(says), problem.includes(instead)]).toEqual([pattern, problem, true, true])
    }
  })

  it('is a problem too where only its plain spelling has it, for which denials hold as well', () => {
    for (const pattern of ['｛a，b｝', '～/x', '**/*（1）.pdf', '［a', '[Z-a]']) expect([pattern, problemOf(pattern)]).toEqual([pattern, expect.stringContaining('plain width')])
  })

  it.each([
    ['[{]a,b[}]', '{a,b}'], ['[!]x]y', 'ay'], ['/!x', '!x'], ['a!', 'a!'], ['src/!x', 'src/!x'], ['[~]/x', '~/x'], ['**/~x', 'a/~x'], ['*~', 'a~'], ['~'.padStart(2, 'a'), 'a~'],
    ['[$]HOME/x', '$HOME/x'], ['**/[$]RECYCLE.BIN', '$RECYCLE.BIN'], ['Outer$Inner.class', 'Outer$Inner.class'], ['**/*$', 'a/x$'], ['a[|]b', 'a|b'], ['[ ]a', ' a'], ['a[ ]', 'a '], ['a b', 'a b'], ['**/\u2764\ufe0f', '\u2764\ufe0f'], ['a /b', 'a /b'],
    ['app/(group)/page.tsx', 'app/(group)/page.tsx'], ['**/*[(]1).pdf', 'x(1).pdf'], ['[+](a)', '+(a)'], ['c++', 'c++'], ['a@b', 'a@b'], ['a (1).txt', 'a (1).txt'], ['[:]x', ':x'], ['[:[]x', '[x'], ['a,b', 'a,b'], ['a^b', 'a^b'], ['@scope/x', '@scope/x'], ['#x', '#x'],
  ])('is none in a set, nor where it means nothing elsewhere: %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(true)
  })
})

describe('a pattern', () => {
  it.each<readonly [pattern: string, path: string, expected: boolean]>([
    ['src/', 'src/env.ts', true], ['src/', 'src/a/b/c', true], ['src/', 'src', true], ['src/', 'source/a', false], ['src/', 'a/src/b', false], ['/src/', 'src/a', true], ['**/src/', 'a/src/b', true], ['**/src/', 'a/srcs/b', false],
    ['src/*/', 'src/a/b', true], ['src/*/', 'src', false], ['src/**/', 'src/a', true], ['src', 'src', true], ['src', 'src/env.ts', false],
    ['src/[^x]nv.ts', 'src/env.ts', true], ['src/[^x]nv.ts', 'src/xnv.ts', false], ['src/[!x]nv.ts', 'src/env.ts', true], ['[^a-c]', 'b', false], ['[^]a]', 'b', true], ['[^]a]', ']', false], ['[a^]', '^', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected)
  })
})
