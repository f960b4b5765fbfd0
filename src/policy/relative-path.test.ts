import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../kernel/refusal.ts'
import { MAX_NAME_BYTES, MAX_PATH_BYTES, parseRelativePath } from './relative-path.ts'

const refused = (reason: string) => expect.objectContaining({ code: 'path.invalid', reason })

describe('parseRelativePath', () => {
  it.each([
    ['readme.md', ['readme.md']],
    ['docs//./guide.md', ['docs', 'guide.md']],
    ['./a', ['a']],
    ['.', []],
    ['./', []],
    ['././/.', []],
    ['..hidden/a..b/...', ['..hidden', 'a..b', '...']],
    ['C:/notes.txt', ['C:', 'notes.txt']],
    ['~/note.txt', ['~', 'note.txt']],
    ['%2e%2e/&#46;', ['%2e%2e', '&#46;']],
    ['\uff0e\uff0e/\u2025', ['\uff0e\uff0e', '\u2025']],
    ['tab\tname', ['tab\tname']],
    [' ', [' ']],
    ['-rf', ['-rf']],
  ])('takes %j apart and decodes nothing', (raw, names) => {
    expect(parseRelativePath(raw)).toEqual(names)
  })

  it.each(['docs/', 'docs//', 'docs/.', 'docs/./', './docs/'])('keeps in %j that a folder is asked for', (raw) => {
    expect(parseRelativePath(raw)).toEqual(['docs', '.'])
  })

  it.each([
    ['', 'empty'], ['/', 'absolute'], ['/etc/passwd', 'absolute'], ['//host/share', 'absolute'],
    ['..', 'parent'], ['../', 'parent'], ['a/..', 'parent'], ['a/../b', 'parent'],
    ['a\\b', 'character'], ['a\0b', 'character'], ['a\nb', 'character'], ['a\u001bb', 'character'],
    ['a\u007fb', 'character'], ['a\u0085b', 'character'], ['a\ud800b', 'character'],
  ])('refuses %j', (raw, reason) => {
    expect(parseRelativePath(raw)).toEqual(refused(reason))
  })

  it('composes letters, so that one name has one spelling', () => {
    expect(parseRelativePath('u\u0308')).toEqual(['\u00fc'])
  })

  it('counts names and paths in UTF-8 bytes', () => {
    expect(parseRelativePath('a'.repeat(MAX_NAME_BYTES))).toHaveLength(1)
    expect(parseRelativePath('a'.repeat(MAX_NAME_BYTES + 1))).toEqual(refused('length'))
    expect(parseRelativePath('\u6587'.repeat(85))).toHaveLength(1)
    expect(parseRelativePath('\u6587'.repeat(86))).toEqual(refused('length'))
    expect(parseRelativePath(`${'a/'.repeat(MAX_PATH_BYTES / 2 - 1)}bb`)).toHaveLength(MAX_PATH_BYTES / 2)
    expect(parseRelativePath(`${'a/'.repeat(MAX_PATH_BYTES / 2)}b`)).toEqual(refused('length'))
    expect(parseRelativePath(`${'\u6587/'.repeat(MAX_PATH_BYTES / 4)}b`)).toEqual(refused('length'))
  })

  it('lets through only names that cannot leave a folder, and is done after one pass', () => {
    const piece = fc.oneof(fc.constantFrom('.', '..', '', '/', '\\', '\0', 'a', '~', '\u0308', '\uff0e'), fc.string())
    fc.assert(fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const names = parseRelativePath(pieces.join('/'))
      if (names instanceof Refusal) return
      const inner = names.slice(0, -1).concat(names.at(-1) === '.' ? [] : names.slice(-1))
      for (const name of inner) {
        expect(['', '.', '..']).not.toContain(name)
        expect(name).not.toMatch(/[/\\\0\n]/)
      }
      if (names.length > 0) expect(parseRelativePath(names.join('/'))).toEqual(names)
    }))
  })

  it('says nothing of what was sent', () => {
    const answer = parseRelativePath('../canary-7f3a')
    expect(answer).toBeInstanceOf(Refusal)
    expect(JSON.stringify([answer, String(answer)])).not.toContain('canary')
  })
})
