import {
  lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import { holdsCredentials } from '../../policy/credential-paths.ts'
import { openJail } from './jail.ts'
import { pinAt, pinByName } from './pin.ts'

type Node = { readonly at: readonly string[]; readonly target: string | undefined }

const name = fc.constantFrom('a', 'b', 'c', 'd.md', '.env', '...')
const place = fc.array(name, { minLength: 1, maxLength: 3 })
const step = fc.oneof({ weight: 4, arbitrary: name }, fc.constantFrom('..', '.', '', 'OUTSIDE'))
const target = fc.record({
  start: fc.constantFrom('', '', '', './', '../', '../../', 'ROOT/', 'ROOT', '/', '/etc', 'BASE/outside/'),
  steps: fc.array(step, { maxLength: 3 }),
}).map(({ start, steps }) => start + steps.join('/') || '.')
const node: fc.Arbitrary<Node> = fc.record({ at: place, target: fc.option(target, { nil: undefined, freq: 2 }) })
const written = fc.oneof({ weight: 6, arbitrary: name }, fc.constantFrom('.', ''))
const path = fc.array(written, { minLength: 1, maxLength: 5 })

/** Builds what can be built: a node in the place of a file or below one is left out. */
const build = (base: string, nodes: readonly Node[]): string => {
  const root = join(base, 'root')
  mkdirSync(join(base, 'outside/a'), { recursive: true })
  mkdirSync(root)
  for (const file of ['outside/a/b', 'outside/d.md', 'a']) writeFileSync(join(base, file), `OUTSIDE ${file}`)
  for (const { at, target: to } of nodes) {
    const full = join(root, ...at)
    try {
      mkdirSync(dirname(full), { recursive: true })
      // The walk to the new node must not itself leave the root through a link made before.
      if (!realpathSync(dirname(full)).startsWith(root)) continue
      const link = to?.replace('ROOT', root).replace('BASE', base).replace('OUTSIDE', '../outside')
      if (link === undefined) writeFileSync(full, `INSIDE ${relative(root, full)}`, { flag: 'wx' })
      else symlinkSync(link, full)
    } catch {}
  }
  return root
}

/** What the kernel's own resolution says: the text of a regular file inside, or undefined. */
const oracle = (root: string, spelled: string): string | undefined => {
  try {
    const real = realpathSync.native(`${root}/${spelled}`)
    return real.startsWith(`${root}/`) && lstatSync(real).isFile() ? real : undefined
  } catch {
    return undefined
  }
}

describe.each([['the best way of this platform', pinAt], ['by name', pinByName]])('a jail, %s', (_way, pin) => {
  it('reads exactly the regular files that resolve to a place inside, and no credentials', async () => {
    let read = 0
    let refused = 0
    await fc.assert(fc.asyncProperty(
      fc.array(node, { maxLength: 10 }), fc.array(path, { minLength: 1, maxLength: 12 }),
      async (nodes, paths) => {
        const base = realpathSync(mkdtempSync(join(tmpdir(), 'jail-tree-')))
        try {
          const root = build(base, nodes)
          const jail = await openJail(root, { pinAt: pin })
          const all = [...paths, ...nodes.map((one) => one.at)].map((names) => names.join('/'))
          for (const one of all.filter((text) => text !== '' && !text.startsWith('/'))) {
            const real = oracle(root, one)
            const isSecret = holdsCredentials(one.split('/').filter((part) => part !== '' && part !== '.'))
              || (real !== undefined && holdsCredentials(relative(root, real).split('/')))
            const got = await jail.readText(one, { maxBytes: 1000 }).catch((error: unknown) => error)
            if (real === undefined || isSecret) {
              refused += 1
              expect([one, got]).toEqual([one, expect.any(Refusal)])
            } else {
              read += 1
              expect([one, got]).toEqual([one, readFileSync(real, 'utf8')])
              expect(got).toMatch(/^INSIDE /)
            }
          }
          jail.close()
        } finally {
          rmSync(base, { recursive: true, force: true })
        }
      },
    ), { numRuns: 150 })
    expect(read).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(100)
  })
})
