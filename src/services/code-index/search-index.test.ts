import fc from 'fast-check'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CodeIndex, CodeSource } from '../../kernel/ports/code-index.ts'
import { indexFolder, type IndexFolder, LIBRARY, namesOf, NOW, source, sourcesOf } from './code-index.fixture.ts'

let folder: IndexFolder
let index: CodeIndex
beforeEach(() => {
  folder = indexFolder()
  index = folder.open()
})
afterEach(() => folder.remove())

const find = async (query: string, options = {}): Promise<readonly string[]> => namesOf((await index.search(query, { limit: 10, ...options })).hits)

describe('a question', () => {
  beforeEach(async () => {
    await index.update(sourcesOf(LIBRARY))
  })

  it.each([
    ['how to delete a folder recursively', 'src/paths.py:removeTree'], ['mkdir with parents', 'src/paths.py:make_directory'],
    ['decode json to a dictionary', 'src/text.py:parse_json_line'], ['check for an empty string', 'src/text.py:is_blank'],
  ])('%s finds %s first', async (query, first) => {
    expect((await find(query))[0]).toBe(first)
  })

  it('with a typing mistake finds what was meant', async () => {
    expect((await find('make direcotry'))[0]).toBe('src/paths.py:make_directory')
  })

  it('that is a name gives that name, then names that begin with it, then the rest', async () => {
    await index.change([source('a.py', 'def blank():\n  pass\ndef blankLines():\n  pass\ndef other(): # blank\n  return blank, blank, blank\ndef Blank():\n  pass\n')])
    const { hits } = await index.search('Blank', { limit: 10 })
    expect(hits.slice(0, 3).map(({ name, match }) => `${name} ${match}`)).toEqual(['Blank exact', 'blank exact', 'blankLines prefix'])
    expect(hits.slice(3).map(({ match }) => match)).toEqual(['ranked', 'ranked', 'ranked'])
    expect(hits.slice(3).map(({ name }) => name)).toEqual(expect.arrayContaining(['is_blank', 'other']))
  })

  it.each(['TextParser.is_blank', 'text::is_blank', 'TextParser#is_blank', '  is_blank  ', 'IS_BLANK'])('%s is read as a name', async (query) => {
    const { hits } = await index.search(query, { limit: 1 })
    expect(hits).toMatchObject([{ name: 'is_blank', match: 'exact', container: 'TextParser', kind: 'function', startLine: 9, endLine: 10 }])
  })

  it('finds names of which every word is silent', async () => {
    await index.change([source('b.py', 'def is_the(): return 1\ndef do(): return 2\n')])
    expect([await find('do'), (await find('is_the'))[0]]).toEqual([['b.py:do'], 'b.py:is_the'])
  })

  it('is narrowed to kinds and to a folder, and not to a folder that only begins alike', async () => {
    await index.change([source('src2/paths.py', 'def make_directory(): pass\n')])
    expect(await find('directory', { kinds: ['file'] })).toEqual(['docs/guide.md:guide.md'])
    expect(await find('directory', { kinds: [] })).toEqual([])
    expect(await find('make_directory', { pathPrefix: 'src2' })).toEqual(['src2/paths.py:make_directory'])
    expect(await find('make_directory', { pathPrefix: 'src/paths.py' })).toContain('src/paths.py:make_directory')
    expect((await find('make_directory', { pathPrefix: 'src/' })).filter((hit) => !hit.startsWith('src/'))).toEqual([])
  })

  it.each([0, 201, 1.5, Number.NaN])('for %s hits is a mistake of the caller', async (limit) => {
    await expect(index.search('x', { limit })).rejects.toThrow(RangeError)
  })

  it('is answered with how fresh the index is', async () => {
    const { freshness } = await index.search('x', { limit: 1 })
    expect(freshness).toEqual({ updatedAtMs: NOW, generation: 1, complete: true })
    expect(index.freshness()).toEqual(freshness)
  })

  it('stops when signalled', async () => {
    await expect(index.search('folder', { limit: 1, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

describe('whatever is typed', () => {
  it.each([
    '"', '""', "'", 'AND', 'NOT folder', 'folder OR', 'name:folder', '{name doc}: folder', 'NEAR(folder)', 'folder*', '^folder', '-folder', '(', ')',
    "'; DROP TABLE file; --", '%', '_', '\\', '\0', '\u{10ffff}', '\ud800', 'a'.repeat(100_000), '? ?1 :a @b $c', '[1,2]', '__proto__', 'constructor',
  ])('%j is text and no syntax', async (query) => {
    await index.update(sourcesOf(LIBRARY))
    const plain = await find('folder')
    const { hits, freshness } = await index.search(query, { limit: 10 })
    expect(freshness.complete).toBe(true)
    if (/^\W*(OR|NEAR|folder)\b/.test(query) || query === 'folder OR') expect(namesOf(hits)).toEqual(plain)
    expect(await find('folder')).toEqual(plain)
  })

  it('is answered, and what is indexed is kept', async () => {
    await index.update(sourcesOf(LIBRARY))
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (query) => {
      expect((await index.search(query, { limit: 200 })).freshness.complete).toBe(true)
    }), { numRuns: 200 })
    expect((await find('make_directory'))[0]).toBe('src/paths.py:make_directory')
  })

  it('is indexed as a name or a body as well', async () => {
    const chunk = { kind: 'k', container: '', signature: '', doc: '', startLine: 1, endLine: 1 }
    const hostile = ['a'.repeat(1_000_000), 'a\0b', '\ud800x', '<script>', 'x'.repeat(600), '\u202egnirts', "'); --", '']
    const file = (name: string, at: number): CodeSource => ({ path: `f${at}.py`, contentHash: 'h', chunks: () => [{ ...chunk, name, body: name }] })
    expect(await index.update(hostile.map(file))).toMatchObject({ indexed: hostile.length, incomplete: 0, complete: true })
    expect((await find('script'))[0]).toBe('f3.py:<script>')
    expect(await find('ab')).toEqual(['f1.py:ab'])
  })
})

describe('a file that the caller may not see', () => {
  const word = fc.constantFrom('folder', 'parse', 'json', 'remove', 'blank', 'liste', 'make', 'tree', 'maek', 'folders', 'jsno')
  const body = fc.array(word, { minLength: 1, maxLength: 6 })
  const tree = fc.uniqueArray(fc.record({ path: fc.stringMatching(/^[a-c]{1,2}$/), name: fc.tuple(word, word), body, denied: fc.boolean() }), { minLength: 1, maxLength: 8, selector: ({ path }) => path })

  it('changes neither the hits nor their order nor their scores', async () => {
    const queries = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')), { minLength: 1, maxLength: 4 })
    let round = 0
    await fc.assert(fc.asyncProperty(tree, queries, fc.boolean(), async (files, asked, later) => {
      round += 1
      const all = folder.open(`all-${round}.sqlite`)
      const some = folder.open(`some-${round}.sqlite`)
      const sources = files.map(({ path, name, body: words }) => source(`${path}.py`, `def ${name.join('_')}():\n  ${words.join(' ')}\n`))
      await all.update(sources)
      await some.update(sources.filter((_, at) => files[at]?.denied !== true))
      const allowed = new Set(files.filter(({ denied }) => !denied).map(({ path }) => `${path}.py`))
      const may = (path: string): boolean | Promise<boolean> => (later ? Promise.resolve(allowed.has(path)) : allowed.has(path))
      for (const query of asked) {
        expect((await all.search(query, { limit: 50, may })).hits).toEqual((await some.search(query, { limit: 50 })).hits)
      }
      all.close()
      some.close()
    }), { numRuns: 40 })
  }, 120_000)

  it('does not stand between a mistyped word and what was meant', async () => {
    const file = (path: string, word: string): CodeSource => source(path, `def open_${word}(): pass\ndef shut_${word}(): pass\n`)
    await index.update([file('secret.py', 'containers'), file('open.py', 'containerz')])
    expect((await find('contaners'))[0]).toMatch(/^secret/)
    expect(await find('contaners', { may: (path: string) => path === 'open.py' })).toEqual(['open.py:open_containerz', 'open.py:shut_containerz'])
  })

  it('is asked for once per search, and a question that fails is no yes', async () => {
    await index.update(sourcesOf(LIBRARY))
    const asked: string[] = []
    await index.search('make folder json', { limit: 10, may: (path) => asked.push(path) > 0 })
    expect(asked).toHaveLength(new Set(asked).size)
    await expect(index.search('folder', { limit: 1, may: () => { throw new Error('no answer') } })).rejects.toThrow('no answer')
    expect(await find('folder', { may: () => 'yes' as unknown as boolean })).toEqual([])
  })
})

describe('the index file', () => {
  it.skipIf(process.platform === 'win32')('is private and holds no word of a body, a comment or a signature', async () => {
    const secret = 'Zq9vXw4tLk2m'
    await index.update([source('a.py', `def name_of_it(${secret}Argument):\n  """${secret}Comment hushhush"""\n  key = "${secret}" # quietly\n`)])
    expect(await find('quietly')).toEqual(['a.py:name_of_it'])
    index.close()
    const beside = readdirSync(dirname(folder.file)).filter((name) => name.startsWith('index.sqlite'))
    for (const name of beside) {
      const file = join(dirname(folder.file), name)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const text = readFileSync(file).toString('latin1').toLowerCase()
      for (const word of [secret.toLowerCase(), 'hushhush', 'quietly', 'argument']) expect(text.includes(word), word).toBe(false)
    }
    expect(beside.some((name) => readFileSync(join(dirname(folder.file), name)).includes('name_of_it'))).toBe(true)
  })

  it('never takes up a credential file, however it is asked for', async () => {
    const sources = ['.env', 'conf/.ENV', '.ssh/config', 'deploy/id_rsa', 'server.pem', 'a\0b.py', ''].map((path) => source(path, 'folder secret'))
    expect(await index.update(sources)).toMatchObject({ indexed: 0, refused: sources.length })
    expect(await index.change(sources)).toMatchObject({ indexed: 0, refused: sources.length })
    expect(await find('folder secret env')).toEqual([])
  })
})
