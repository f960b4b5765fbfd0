import { posix } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../kernel/refusal.ts'
import { isBelow, spellPath } from './spell-path.ts'

const STANDPOINT = { home: '/home/me', cwd: '/home/me/work' }
const spelled = (path: string): string => {
  const names = spellPath(path, STANDPOINT)
  return names instanceof Refusal ? `refused: ${names.reason}` : `/${names.join('/')}`
}
/** What a name can be made of, and what only looks like a step up. */
const name = fc.oneof(fc.constantFrom('.', '..', '', 'a', 'b', '...', '. .', '..a', '%2e%2e', '․․', '‥', '．．', '~', 'é', 'C:', '..\u200b'), fc.string({ maxLength: 4 }).filter((text) => !/[/\\\p{Cc}\p{Cs}]/u.test(text)))

describe('a path', () => {
  it.each([
    ['a', '/home/me/work/a'], ['./a', '/home/me/work/a'], ['../a', '/home/me/a'], ['/a', '/a'], ['~', '/home/me'], ['~/a', '/home/me/a'], ['~/../a', '/home/a'], ['//a//b', '/a/b'],
    ['/../../a', '/a'], ['a/../../../../../../etc', '/etc'], ['.', '/home/me/work/.'], ['a/', '/home/me/work/a/.'], ['a/..', '/home/me/work/.'], ['/', '/'], ['..', '/home/me/.'],
  ])('%s is %s', (path, meant) => expect(spelled(path)).toBe(meant))

  it.each([
    ['', 'empty'], ['~root', 'user'], ['~root/.ssh', 'user'], ['~me', 'user'], ['~~', 'user'], ['~+', 'user'], ['~-', 'user'], ['a\\b', 'character'], ['a\0b', 'character'], ['a\nb', 'character'], ['a\u0085', 'character'], ['a\0/../b', 'character'], ['/a\\/..', 'character'], ['\ud800', 'character'],
    ['x'.repeat(5_000), 'length'], [`a/${'é'.repeat(200)}`, 'length'],
  ])('%j is none', (path, reason) => expect(spelled(path)).toBe(`refused: ${reason}`))

  it('takes `~` for the home at its start alone', () => {
    expect([spelled('a/~'), spelled('./~'), spelled('a~'), spelled('~/~')]).toEqual(['/home/me/work/a/~', '/home/me/work/~', '/home/me/work/a~', '/home/me/~'])
  })

  it('holds no step and no empty name, and is the place that any resolution by names would find', () => {
    fc.assert(fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), fc.constantFrom('', '/', '~/'), (parts, start) => {
      const raw = start + parts.join('/')
      const names = spellPath(raw, STANDPOINT)
      if (names instanceof Refusal) return
      expect(names.slice(0, -1).filter((one) => one === '.' || one === '..' || one === '')).toEqual([])
      expect(names.at(-1)).not.toBe('..')
      const meant = posix.resolve(STANDPOINT.cwd, raw.replace(/^~(?=\/|$)/, STANDPOINT.home)).normalize('NFC')
      expect(`/${names.filter((one) => one !== '.').join('/')}`).toBe(meant)
    }))
  })

  it('spelled again is the same, in either normal form of its letters', () => {
    fc.assert(fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), (parts) => {
      const raw = `/${parts.join('/')}`
      const once = spelled(raw)
      if (!once.startsWith('refused')) expect([spelled(once), spelled(raw.normalize('NFD'))]).toEqual([once, once])
    }))
  })
})

describe('a place below another', () => {
  it('has all its names in front, whole', () => {
    expect([isBelow(['a', 'b'], ['a']), isBelow(['a'], ['a']), isBelow(['ab'], ['a']), isBelow(['a'], ['a', 'b']), isBelow(['b', 'a'], ['a'])]).toEqual([true, true, false, false, false])
  })
})
