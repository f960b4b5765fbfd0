import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IgnoreEffort, ignoreRules, parseGitignore } from './gitignore.ts'
import { Tree } from './tree.ts'
import { Walk } from './walk.ts'

/** Whether one file's patterns ignore a path; a folder ends in a slash. */
const ignores = (text: string, path: string): boolean => {
  const names = path.replace(/\/$/, '').split('/')
  return ignoreRules([{ depth: 0, file: parseGitignore(text) }], new IgnoreEffort()).ignores(names.slice(0, -1), names.at(-1) ?? '', path.endsWith('/'))
}

it.each([
  ['a name anywhere', 'foo', ['foo', 'x/foo', 'foo/'], ['foo2', 'xfoo', 'Foo']],
  ['an anchored name', '/foo', ['foo'], ['x/foo']],
  ['a slash in the middle anchors', 'a/b', ['a/b'], ['x/a/b', 'a/b/c']],
  ['folders alone', 'foo/', ['foo/', 'x/foo/'], ['foo']],
  ['a star within one name', 'a/*.c', ['a/x.c', 'a/.c'], ['a/b/x.c', 'x.c']],
  ['any number of folders', 'a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['b', 'a/xb']],
  ['everything below', 'a/**', ['a/x', 'a/x/y'], ['a', 'a/']],
  ['a leading double star', '**/b/c', ['b/c', 'x/y/b/c'], ['b/x/c']],
  ['a double star inside a name', 'a**b', ['ab', 'axxb'], ['a/b']],
  ['one character', '?o', ['fo', 'éo'], ['o', 'foo']],
  ['a set', '[a-c!].x', ['a.x', '!.x'], ['d.x', '.x']],
  ['a negated set', '[!a-c].x', ['d.x'], ['a.x']],
  ['a class', '[[:digit:]_]x', ['1x', '_x'], ['ax']],
  ['a bracket first in a set', '[]x]', [']', 'x'], ['[']],
  ['an open set is nothing', '[ab', [], ['[ab', 'a']],
  ['comments and escaped marks', '#c\n\\#d\n\\!e', ['#d', '!e'], ['#c', 'c']],
  ['spaces at the end', 'a \nb\\ ', ['a', 'b '], ['a ', 'b']],
  ['the last one that matches', '*.c\n!x.c', ['y.c'], ['x.c']],
  ['line ends of Windows, and a mark of order', '\ufefffoo\r\nbar\r\n', ['foo', 'bar'], ['foo\r']],
  ['a lone backslash is nothing', 'a\\', [], ['a', 'a\\']],
  ['an escaped star', 'a\\*b', ['a*b'], ['axb']],
])('reads %s', (_what, text, yes, no) => {
  for (const path of yes) expect([path, ignores(text, path)]).toEqual([path, true])
  for (const path of no) expect([path, ignores(text, path)]).toEqual([path, false])
})

it('takes linear time for patterns made to take more', () => {
  const name = 'a'.repeat(255)
  const text = `${'*a'.repeat(400)}b\n${'**/a/'.repeat(150)}b`
  const path = Array.from({ length: 200 }, () => name).join('/')
  // A way that tries every split would not end.
  expect(ignores(text, path)).toBe(false)
})

it('gives up on patterns that take more than names may take, and never on those of honest files', () => {
  const look = (text: string, name: string, times: number): void => {
    const rules = ignoreRules([{ depth: 0, file: parseGitignore(text) }], new IgnoreEffort())
    for (let time = 0; time < times; time += 1) rules.ignores(['src', 'lib'], name, false)
  }
  expect(() => look(`*${'[a]'.repeat(127)}b\n`.repeat(2_000), 'a'.repeat(255), 3)).toThrow(expect.objectContaining({ code: 'file.too-large' }))
  expect(() => look(`${'**/'}${'a/'.repeat(200)}x\n`.repeat(100) + '*[0-9]*.tmp.?\n*~[a-z]\nbuild*/\n'.repeat(200), 'some-ordinary-name.ts', 3_000)).not.toThrow()
})

const hasGit = spawnSync('git', ['--version']).status === 0

describe.skipIf(!hasGit)('beside git itself (skipped where there is none), in trees that we made', () => {
  const name = fc.constantFrom('a', 'b', 'ab', 'a.c', 'b.c', 'x y', '.d')
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
  const piece = fc.constantFrom('a', 'b', '*', '**', '?', '.c', '[ab]', '[!a]', '/', '/', '\\a', ' ', '.d')
  const pattern = fc.tuple(fc.constantFrom('', '', '', '!', '/'), fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom('', '', '/')).map(([start, pieces, end]) => start + pieces.join('') + end)
  // Git itself reads `a**/` by comparing pointers of two buffers, so what it means there is chance.
    .filter((text) => !/[^/!]\*\*|\*\*[^/]/.test(text))
  const file = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join('\n'))

  it('sees the files that git sees', async () => {
    await fc.assert(fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 12 }), file, fc.option(fc.tuple(name, file)), async (paths, rootRules, inner) => {
      const root = mkdtempSync(join(tmpdir(), 'ignore-'))
      try {
        execFileSync('git', ['init', '-q', root])
        for (const one of paths) {
          try {
            mkdirSync(dirname(join(root, one)), { recursive: true })
            writeFileSync(join(root, one), 'x')
          } catch {
            // A file stands where a folder should be, or the other way round.
          }
        }
        writeFileSync(join(root, '.gitignore'), rootRules)
        if (inner) {
          mkdirSync(join(root, inner[0]), { recursive: true })
          writeFileSync(join(root, inner[0], '.gitignore'), inner[1])
        }
        const git = execFileSync('git', ['-C', root, '-c', 'core.excludesFile=/dev/null', 'ls-files', '-o', '-z', '--exclude-standard'], { encoding: 'utf8' })
        const theirs = git.split('\0').filter((one) => one !== '' && /\.(?:c|d)$|\.gitignore$/.test(one)).sort()
        expect(await filesIn(root)).toEqual(theirs)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' && (error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    }), { numRuns: 12 })
  }, 60_000)
})

async function filesIn(root: string): Promise<readonly string[]> {
  const tree = new Tree({ root, extensions: ['.c', '.d', '.gitignore'], excludedFolders: ['.git'], maxFileBytes: 1000 })
  try {
    const paths: string[] = []
    for await (const { path } of new Walk(tree, { prefix: '', asker: { may: () => true, signal: new AbortController().signal }, maxFiles: 1000 })) paths.push(path)
    return paths.sort()
  } finally {
    await tree.close()
  }
}
