import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { spellPath } from '../../policy/spell-path.ts'
import { Ground } from './ground.ts'
import type { GroundOptions } from './ground.ts'
import type { LocalUse } from '../../kernel/ports/local-files.ts'

let base: string
let grounds: Ground[]
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-ground-')))
  grounds = []
})
afterEach(async () => {
  for (const ground of grounds) await ground.close()
  rmSync(base, { recursive: true, force: true })
})

const open = (...roots: readonly string[]): Ground => openJudged(() => undefined, ...roots)
function openJudged(judge: GroundOptions['judge'], ...roots: readonly string[]): Ground {
  const ground = new Ground({ roots: roots.map((root) => join(base, root)), spell: (path) => spellPath(path, { home: base, cwd: base }), judge })
  grounds.push(ground)
  return ground
}
const codeOf = async (ground: Ground, path: string, use: LocalUse = 'read'): Promise<string> => {
  try {
    return (await ground.places(path, use)).map((place) => place.slice(base.length + 1)).join(' ')
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

it('has no folder that a link makes into everything', async () => {
  symlinkSync('/', join(base, 'all'))
  const ground = open('all')
  for (const path of ['all/etc/passwd', 'all', '/etc/passwd']) expect([path, await codeOf(ground, path)]).toEqual([path, 'path.outside'])
})

it('allows nothing where nothing was allowed', async () => {
  for (const path of ['.', 'a', '/', '/etc', '~']) expect([path, await codeOf(open(), path)]).toEqual([path, 'path.outside'])
})

it('takes a folder that was missing once it is there, and the inner of two', async () => {
  const ground = open('outer', 'outer/inner')
  expect(await codeOf(ground, 'outer/a')).toMatch(/^(?:file|path)\./)
  mkdirSync(join(base, 'outer/inner'), { recursive: true })
  writeFileSync(join(base, 'outer/inner/a'), 'x')
  expect(await codeOf(ground, 'outer/inner/a')).toBe('outer/inner/a')
  expect((await ground.spot(join(base, 'outer/inner/a'), 'read')).above).toEqual(join(base, 'outer/inner').split('/').filter(Boolean))
})

it('knows a folder by its own name and by the real one', async () => {
  mkdirSync(join(base, 'real'))
  writeFileSync(join(base, 'real/a'), 'x')
  symlinkSync('real', join(base, 'named'))
  const ground = open('named')
  expect([await codeOf(ground, 'named/a'), await codeOf(ground, 'real/a'), await codeOf(ground, 'really/a')]).toEqual(['named/a', 'real/a', 'path.outside'])
})

it('keeps its folders, those above them, and links to either, from being taken away', async () => {
  mkdirSync(join(base, 'up/root/sub'), { recursive: true })
  symlinkSync('up/root', join(base, 'link'))
  symlinkSync('.', join(base, 'up/root/self'))
  const ground = open('up/root', 'up/root/sub')
  for (const path of ['up/root', 'up', '.', '/', 'up/root/', 'up/root/.', 'up/root/sub/..', 'up/root/sub', 'up/root/self', 'up/root/self/.', 'up/root/self/sub', 'link', 'link/sub']) expect([path, await codeOf(ground, path, 'delete')]).toEqual([path, expect.stringMatching(/^path\.(?:protected|outside)$/)])
  writeFileSync(join(base, 'up/root/a'), 'x')
  expect(await codeOf(ground, 'up/root/a', 'delete')).toBe('up/root/a')
})

it('is no place to read where a file has a second name, also behind a link', async () => {
  mkdirSync(join(base, 'root'))
  writeFileSync(join(base, 'secret'), 'x')
  linkSync(join(base, 'secret'), join(base, 'root/second'))
  symlinkSync('second', join(base, 'root/link'))
  writeFileSync(join(base, 'root/only'), 'x')
  const ground = open('root')
  expect([await codeOf(ground, 'root/second'), await codeOf(ground, 'root/link'), await codeOf(ground, 'root/only'), await codeOf(ground, 'root')]).toEqual(['file.unavailable', 'file.unavailable', 'root/only', 'root'])
})

it('writes through no link that leads to nothing', async () => {
  mkdirSync(join(base, 'root'))
  symlinkSync('nowhere', join(base, 'root/dangling'))
  expect(await codeOf(open('root'), 'root/dangling', 'write')).toBe('path.protected')
})

it('says where a change behind a linked folder would be made, also where nothing is yet, and judges that', async () => {
  mkdirSync(join(base, 'root/real'), { recursive: true })
  mkdirSync(join(base, 'root/kept'))
  writeFileSync(join(base, 'root/kept/a'), 'x')
  symlinkSync('real', join(base, 'root/link'))
  symlinkSync('kept', join(base, 'root/alias'))
  symlinkSync('../real', join(base, 'root/real/up'))
  const ground = openJudged((names, use) => (names[0] === 'kept' && use === 'write' ? refusal('path.protected') : undefined), 'root')
  expect([await codeOf(ground, 'root/link/new', 'write'), await codeOf(ground, 'root/link/more/new', 'write'), await codeOf(ground, 'root/link/new')]).toEqual(['root/link/new root/real/new', 'root/link/more/new root/real/more/new', 'root/link/new root/real/new'])
  expect(await codeOf(ground, 'root/link/up', 'delete')).toBe('root/link/up root/real root/real/up')
  for (const [path, use] of [['alias/new', 'write'], ['alias/more/new', 'write'], ['alias/a', 'write'], ['alias/a', 'delete']] as const) expect([path, await codeOf(ground, `root/${path}`, use)]).toEqual([path, 'path.protected'])
  expect([await codeOf(ground, 'root/alias/a'), await codeOf(ground, 'root/alias', 'delete')]).toEqual(['root/alias/a root/kept/a', 'root/alias root/kept'])
})

it('gives what is excepted in a folder that is denied, also where nothing is yet', async () => {
  mkdirSync(join(base, 'root/hidden'), { recursive: true })
  writeFileSync(join(base, 'root/hidden/there'), 'x')
  symlinkSync('hidden', join(base, 'root/alias'))
  const ground = openJudged((names) => (names[0] === 'hidden' && !['shown', 'there'].includes(names.at(-1) ?? '') ? refusal('path.denied') : undefined), 'root')
  expect([await codeOf(ground, 'root/hidden/shown'), await codeOf(ground, 'root/alias/shown'), await codeOf(ground, 'root/alias/other'), await codeOf(ground, 'root/alias/there'), await codeOf(ground, 'root/hidden/deep/shown')]).toEqual(['root/hidden/shown', 'root/alias/shown root/hidden/shown', 'path.denied', 'root/alias/there root/hidden/there', 'root/hidden/deep/shown'])
})
