import { expect, it } from 'vitest'
import { createImportReader } from './import-reader.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const targetsOf = async (path: string, text: string, files: readonly string[] = []): Promise<readonly string[]> => {
  const { linksOf } = await createImportReader().open({ files: new Set([path, ...files]), text: async () => undefined })
  return linksOf(path, text).map(({ target }) => target)
}

it('reads every way to import from a module of Python', async () => {
  const text = 'from x.y import z\nfrom . import a\nfrom .. import b\nfrom .c import d\nfrom  .   e import f\nfrom\tg\timport(h)\n'
  expect(await targetsOf('p/q/m.py', text, ['p/q/a.py', 'p/b.py', 'p/q/c.py', 'p/q/e.py'])).toEqual(['x.y', 'p/q/a.py', 'p/b.py', 'p/q/c.py', 'p/q/e.py', 'g'])
})

it.each([' ', '.', '. ', 'a', 'a '])('reads a line of Python with very many %j once', async (unit) => {
  expect(await targetsOf('m.py', `from ${unit.repeat(5_000)}!\nfrom x import y\n`)).toEqual(['x'])
}, SOON_MS)

it('reads each block of imports of Go once', async () => {
  const text = `import (\n"a"\n)\nimport (\n${'import (\n"b"\n'.repeat(10_000)})\n`
  expect(await targetsOf('m.go', text)).toHaveLength(10_001)
}, SOON_MS)
