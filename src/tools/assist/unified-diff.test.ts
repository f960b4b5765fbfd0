import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitDiff } from './split-diff.ts'
import { parseUnifiedDiff } from './unified-diff.ts'

const plain = (name: string, more = 0): string => {
  const added = Array.from({ length: more }, (_, index) => `+line ${index}\n`).join('')
  return `--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,${2 + more} @@ def f():\n kept\n-old\n+new\n${added}`
}

const read = (text: string) => parseUnifiedDiff(text)?.map(({ header, hunks, added, removed }) => ({ first: header[0], hunks: hunks.length, added, removed }))

describe('a unified diff', () => {
  it('is read into files and hunks', () => {
    expect(read(plain('x.py') + plain('y.py', 2))).toEqual([{ first: '--- a/x.py', hunks: 1, added: 1, removed: 1 }, { first: '--- a/y.py', hunks: 1, added: 3, removed: 1 }])
  })

  it('may be what git writes: a message before it, modes, renames, binary files, no line end at the end', () => {
    const git = [
      'From 1234 Mon Sep 17 00:00:00 2001', 'Subject: [PATCH] change', '', 'diff --git a/x b/x', 'index 1..2 100644', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+b', '\\ No newline at end of file',
      'diff --git a/o b/n', 'similarity index 100%', 'rename from o', 'rename to n', 'diff --git a/i.png b/i.png', 'index 3..4', 'Binary files a/i.png and b/i.png differ', 'diff --git a/s b/s', 'old mode 100644', 'new mode 100755', '-- ', '2.39.5', '',
    ].join('\n')
    expect(read(git)).toEqual([
      { first: 'diff --git a/x b/x', hunks: 1, added: 1, removed: 1 }, { first: 'diff --git a/o b/n', hunks: 0, added: 0, removed: 0 },
      { first: 'diff --git a/i.png b/i.png', hunks: 0, added: 0, removed: 0 }, { first: 'diff --git a/s b/s', hunks: 0, added: 0, removed: 0 },
    ])
    expect(read(git.replaceAll('\n', '\r\n'))).toEqual(read(git))
  })

  it('is none where a hunk changes nothing', () => {
    for (const text of ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n', '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n kept\n kept\n', '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\nhello\n']) expect(parseUnifiedDiff(text)).toBeUndefined()
  })

  it('counts lines that look like headers as what they are', () => {
    expect(read('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old comment\n+++ new comment\n kept\n')).toEqual([{ first: '--- a/x', hunks: 1, added: 1, removed: 1 }])
  })

  it('survives hunks that promise more lines than they have, and blanks that were lost', () => {
    expect(read(`--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n kept\n\n-old\n+new\n${plain('y')}`)).toEqual([{ first: '--- a/x', hunks: 1, added: 1, removed: 1 }, { first: '--- a/y', hunks: 1, added: 1, removed: 1 }])
  })

  it.each(['', 'hello', '--- a/x\n+++ b/x\n', '@@ -1 +1 @@\n-a\n+b\n', 'diff --git a/x b/x\n', '--- a\n@@ -1 +1 @@\n-a\n+b', '- a list\n+ of things', '{"diff": true}', 'diff --cc x\n@@@ -1,1 -1,1 +1,1 @@@\n- a', '--- a/x\n+++ b/x\n@@ … @@\n-a'])('is not read from %j', (text) => {
    expect(parseUnifiedDiff(text)).toBeUndefined()
  })

  it('is read from any text without a fault', () => {
    const line = fc.constantFrom('--- a/x', '+++ b/x', '@@ -1,3 +1,3 @@', '@@ -0,0 +1 @@', ' kept', '-old', '+new', '\\ No newline', 'diff --git a/x b/x', 'rename from x', '', 'noise', '\r')
    fc.assert(fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const files = parseUnifiedDiff(lines.join('\n')) ?? []
      const signs = (sign: string): number => lines.filter((one) => one.startsWith(sign)).length
      expect(files.reduce((sum, { added }) => sum + added, 0)).toBeLessThanOrEqual(signs('+'))
      expect(files.reduce((sum, { removed }) => sum + removed, 0)).toBeLessThanOrEqual(signs('-'))
    }))
  })
})

describe('a long diff', () => {
  const files = (text: string) => parseUnifiedDiff(text) ?? []

  it('is split between files where they fit', () => {
    const text = ['a', 'b', 'c', 'd'].map((name) => plain(name)).join('')
    const parts = splitDiff(files(text), 150)
    expect(parts.map((part) => part.files)).toEqual([2, 2])
    expect(parts[0]?.text).toBe((plain('a') + plain('b')).trimEnd())
  })

  it('is split between hunks, each under the names of its file, and a hunk between lines', () => {
    const hunk = (lines: number): string => `@@ -1,0 +1,${lines} @@\n${'+added line\n'.repeat(lines)}`
    const parts = splitDiff(files(`--- a/x\n+++ b/x\n${hunk(5)}${hunk(5)}${hunk(50)}`), 150)
    expect(parts.map((part) => part.files)).toEqual([1, 0, 0])
    for (const { text } of parts) expect(text).toMatch(/^--- a\/x\n\+\+\+ b\/x\n@@ /)
    expect(parts[2]?.text).toMatch(/\+added line\n\[the rest of this hunk is left out\]$/)
  })

  it('never makes a part that is longer than it may be', () => {
    const file = fc.record({ name: fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 60 }), more: fc.integer({ min: 0, max: 80 }) })
    fc.assert(fc.property(fc.array(file, { minLength: 1, maxLength: 8 }), fc.integer({ min: 120, max: 2_000 }), (all, maxChars) => {
      const text = all.map(({ name, more }) => plain(name, more)).join('')
      const parts = splitDiff(files(text), maxChars)
      for (const part of parts) expect(part.text.length).toBeLessThanOrEqual(maxChars)
      expect(parts.reduce((sum, part) => sum + part.files, 0)).toBe(all.length)
    }))
  })
})
