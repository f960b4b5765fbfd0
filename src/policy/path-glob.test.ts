import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { globMatches, parseGlob } from './path-glob.ts'

const matches = (pattern: string, path: string, below = false): boolean | undefined => {
  const glob = parseGlob(pattern)
  return glob && globMatches(glob, path.split('/').filter(Boolean), { below })
}

describe('a pattern of a rule', () => {
  it.each([
    ['src/**', 'src/a/b.ts', true], ['src/**', 'src', true], ['src/**', 'source/a', false], ['**/.env', '.env', true], ['**/.env', 'a/b/.env', true],
    ['**/.env', 'a/.env.local', false], ['*.ts', 'a.ts', true], ['*.ts', 'a/b.ts', false], ['a/?.ts', 'a/b.ts', true], ['a/?.ts', 'a/bc.ts', false],
    ['**/x/**/y', 'x/y', true], ['**/x/**/y', 'a/x/b/c/y', true], ['/repo/./src//a', 'repo/src/a', true], ['/repo/src/../doc/*', 'repo/doc/a', true], ['**', '', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected)
  })

  it('covers what lies below a folder it names only where that is asked', () => {
    expect(matches('secrets', 'secrets/deep/a')).toBe(false)
    expect(matches('secrets', 'secrets/deep/a', true)).toBe(true)
    expect(matches('secrets', 'secrets-old/a', true)).toBe(false)
  })

  it.each(['', 'a/{b,c}', 'a/[bc]', '!a', 'a\\b', '../a', '**/../a', 'a*/../b', 'x'.repeat(1_025), 'a\0b'])('is none when it could not be held to as it is written: %j', (pattern) => {
    expect(parseGlob(pattern)).toBeUndefined()
  })

  it('says what an expression built from it says', () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'ba', '.a', 'aab')
    const part = fc.constantFrom('a', '*', '**', '?', 'a*', '*b', '*a*', '??')
    const expression = (parts: readonly string[]): RegExp => {
      const spelled = parts.map((one) => (one === '**' ? '(?:/[^/]+)*' : `/${one.replace(/\./g, '\\.').replace(/\*/g, '[^/]*').replace(/\?/g, '[^/]')}`))
      return new RegExp(`^${spelled.join('')}$`)
    }
    fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.array(name, { maxLength: 5 }), (parts, names) => {
      expect(globMatches(parts, names, { below: false })).toBe(expression(parts).test(names.map((one) => `/${one}`).join('')))
    }), { numRuns: 2_000 })
  })
})
