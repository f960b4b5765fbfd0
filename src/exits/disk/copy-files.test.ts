import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyFiles } from './copy-files.ts'

const FILES: Readonly<Record<string, string>> = {
  'src/a.ts': 'aaaa', 'src/sub/b.ts': 'bb', 'src-old/c.ts': 'c', 'README.md': 'readme', 'node_modules/x/index.js': 'x', 'src/node_modules/y.js': 'y', 'src/.env': 'KEY=1', 'node_modules.txt': 'n',
}

let base: string
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'arrowhead-copy-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(base, 'repo', path)), { recursive: true })
    writeFileSync(join(base, 'repo', path), text)
  }
  writeFileSync(join(base, 'outside'), 'SECRET')
  symlinkSync('../../outside', join(base, 'repo/src/link'))
  symlinkSync('..', join(base, 'repo/src/up'))
  execFileSync('mkfifo', [join(base, 'repo/src/pipe')])
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

function copied(below: string, { maxFiles = 100, maxBytes = 1000 } = {}): Readonly<Record<string, string>> {
  const got: Record<string, string> = {}
  const take = (names: readonly string[], bytes: Uint8Array): void => void (got[names.join('/')] = Buffer.from(bytes).toString())
  const files = copyFiles({ root: join(base, 'repo'), below, without: new Set(['node_modules']), maxFiles, maxBytes, take })
  expect(files).toBe(Object.keys(got).length)
  return got
}

describe('a copy', () => {
  it('has every file but links, pipes, credentials and what is in excluded folders', () => {
    expect(Object.keys(copied('')).sort()).toEqual(['README.md', 'node_modules.txt', 'src-old/c.ts', 'src/a.ts', 'src/sub/b.ts'])
  })

  it('of a folder is what is below it, at the same place', () => {
    for (const below of ['src', 'src/', './src', 'src/.']) expect(copied(below)).toEqual({ 'src/a.ts': 'aaaa', 'src/sub/b.ts': 'bb' })
  })

  it('of a file is that file', () => {
    expect(copied('src/a.ts')).toEqual({ 'src/a.ts': 'aaaa' })
  })

  it('of what is not there is empty', () => {
    expect(copied('src/never')).toEqual({})
    expect(copied('sr')).toEqual({})
  })

  it.each(['../outside', '/etc', 'src/../..', 'src\\..'])('of %j is refused', (below) => {
    expect(() => copied(below)).toThrow(expect.objectContaining({ code: 'path.invalid' }))
  })

  it('over a cap is refused, at the cap it is not', () => {
    expect(() => copied('src', { maxFiles: 1 })).toThrow(expect.objectContaining({ code: 'file.too-large' }))
    expect(() => copied('src', { maxBytes: 5 })).toThrow(expect.objectContaining({ code: 'file.too-large' }))
    expect(Object.keys(copied('src', { maxFiles: 2, maxBytes: 6 }))).toHaveLength(2)
  })
})
