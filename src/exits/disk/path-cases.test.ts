import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPathFixture, type PathCase, runPathCase } from '../../../test/cases/path.ts'

const CASES = new URL('../../../../shared/cases/', import.meta.url)
const has = existsSync(new URL('path.jsonl', CASES))

const lines: readonly PathCase[] = has
  ? readFileSync(new URL('path.jsonl', CASES), 'utf8').trim().split('\n').map((line) => JSON.parse(line))
  : []

const swapOf = (path: string, swap: unknown): PathCase => ({
  id: 'own', area: 'path', kind: 'swap', input: { path, op: 'read', swap }, expect: 'refuse',
})

const swaps: readonly PathCase[] = [
  swapOf('docs/guide.md', ['symlink', 'root/docs/guide.md', '../../outside/secret.txt']),
  swapOf('docs/guide.md', { path: 'docs', target: '../outside' }),
  swapOf('sub/root/readme.md', { path: 'sub/root', target: '../../root-evil' }),
  swapOf('link-in', ['symlink', 'root/link-in', '../outside/secret.txt']),
  swapOf('docs/guide.md', ['fifo', 'root/docs/guide.md', '']),
]

describe.skipIf(!has)('the shared path cases (skipped when the case files are not beside the repository)', () => {
  let base = ''
  let root = ''
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'path-cases-'))
    root = buildPathFixture(JSON.parse(readFileSync(new URL('path.fixture.json', CASES), 'utf8')), base)
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  it('are there', () => {
    expect(lines.length).toBeGreaterThan(70)
  })

  it.each(lines.map((line) => [line.id, line.note ?? '', line] as const))('%s: %s', async (_id, _note, line) => {
    expect(await runPathCase(line, root)).toEqual({ right: true, got: expect.any(String) })
  })

  it.each(swaps)('never serve what a swap put there, at whatever moment (%#)', async (line) => {
    expect(await runPathCase(line, root)).toEqual({ right: true, got: expect.stringMatching(/^right in [2-9]/) })
  })

  it('judge: an outcome that differs from the expected one is wrong', async () => {
    const read = (path: string, more: Partial<PathCase>): PathCase => ({
      id: 'own', area: 'path', input: { path, op: 'read' }, expect: 'refuse', ...more,
    })
    expect((await runPathCase(read('readme.md', {}), root)).right).toBe(false)
    expect((await runPathCase(read('missing.md', { expect: 'allow' }), root)).right).toBe(false)
    expect((await runPathCase(read('readme.md', { expect: 'allow', contains: 'other' }), root)).right).toBe(false)
    expect((await runPathCase(read('readme.md', { alsoOk: ['allow'] }), root)).right).toBe(true)
  })

  it.each([
    ['root-level big file', 'big.bin'], ['FIFO', 'pipe'], ['loop', 'loop'], ['link out', 'link-out'],
    ['trailing slash after a file', 'readme.md/'], ['fullwidth dots', '\uff0e\uff0e/outside/secret.txt'],
    ['one dot leader', '\u2025/outside/secret.txt'], ['up and out of a link', 'docs/up2/root-evil/secret.txt'],
    ['out and in again', 'docs/up2/root/readme.md'],
  ])('refuse cases of the same kinds: %s', async (_name, path) => {
    const line: PathCase = { id: 'own', area: 'path', input: { path, op: 'read' }, expect: 'refuse' }
    expect(await runPathCase(line, root)).toEqual({ right: true, got: expect.stringMatching(/^refuse: file\./) })
  })

  it.each([
    ['docs/\u6587\u66f8.md', 'cjk\n'], ['docs/u\u0308ni\u0308code.txt', 'u\n'], ['%2e%2e.txt', 'literal percent\n'],
    ['docs/semi;colon$.txt', 'sc\n'], ['docs/-dash.txt', 'd\n'], ['docs/..foo/bar.txt', 'bar\n'],
    ['link-in', 'guide\n'],
    ['data/deep/er/x.json', '{}\n'], ['tab\tname.txt', 't\n'], ['./readme.md', 'hello\n'], ['docs/...', 'three dots\n'],
    ['docs/rootlink/docs/rootlink/readme.md', 'hello\n'],
  ])('allow cases of the same kinds: %s', async (path, contains) => {
    const line: PathCase = { id: 'own', area: 'path', input: { path, op: 'read' }, expect: 'allow', contains }
    expect(await runPathCase(line, root)).toEqual({ right: true, got: expect.any(String) })
  })
})
