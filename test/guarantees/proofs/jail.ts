import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createArrowhead } from '../../../src/index.ts'
import type { Outcome } from '../../../src/kernel/call.ts'
import { codeOf, said } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

const OUTSIDE = 'ZXQV outside'

/** A served folder beside a secret, with links that lead to it. */
function served({ folder, later }: World): { read(path: string): Promise<Outcome>; readonly base: string } {
  const base = folder()
  const root = join(base, 'root')
  mkdirSync(join(root, 'sub'), { recursive: true })
  mkdirSync(join(base, 'root-twin'))
  writeFileSync(join(base, 'secret.txt'), OUTSIDE)
  writeFileSync(join(base, 'root-twin', 'secret.txt'), OUTSIDE)
  writeFileSync(join(root, 'welcome.txt'), 'hello')
  writeFileSync(join(root, '.env'), 'KEY=ZXQV')
  writeFileSync(join(root, 'large.txt'), 'x'.repeat(2_001))
  symlinkSync(join(base, 'secret.txt'), join(root, 'file-link'))
  symlinkSync('..', join(root, 'parent-link'))
  symlinkSync('.env', join(root, 'innocent.txt'))
  const arrowhead = createArrowhead({ jailRoot: root, readFileMaxBytes: 2_000, rateLimitEnabled: false }, { dataDir: folder(), replace: { trail: null } })
  later(() => arrowhead.close())
  return { base, read: (path) => arrowhead.asLocal().outcome({ kind: 'tool', name: 'read_file', args: { path } }) }
}

export const jail: Area = (proves) => {
  proves('jail.inside', 'no spelling and no link leads out of the folder', async (world) => {
    const { base, read } = served(world)
    const ways = ['../secret.txt', 'sub/../../secret.txt', `${base}/secret.txt`, '../root-twin/secret.txt', 'file-link', 'parent-link/secret.txt', 'parent-link/root-twin/secret.txt', '..\\secret.txt', '/etc/passwd', 'welcome.txt\u0000.md']
    for (const path of ways) expect(JSON.stringify(await read(path))).not.toMatch(/ZXQV|root:/)
    expect((await Promise.all(ways.map(read))).every(({ is }) => is === 'refused')).toBe(true)
    expect(JSON.stringify(await read('welcome.txt'))).toContain('hello')
  })

  proves('jail.one-text', 'what is not there, outside, a folder or a pipe is one refusal without a path', async (world) => {
    const { base, read } = served(world)
    execFileSync('mkfifo', [join(base, 'root', 'pipe')])
    const texts = (await Promise.all(['missing.txt', 'sub/missing.txt', 'file-link', 'sub', 'pipe', 'parent-link/nothing', 'welcome.txt/x'].map(read))).map(said)
    expect(new Set(texts)).toEqual(new Set(['file.unavailable: there is no readable file at that path']))
  })

  proves('jail.credentials', 'an environment file is not read, nor a link to it', async (world) => {
    const { read } = served(world)
    for (const path of ['.env', 'innocent.txt', './.env', 'sub/../.env']) expect(JSON.stringify(await read(path))).not.toContain('ZXQV')
    expect([codeOf(await read('.env')), codeOf(await read('innocent.txt'))]).toEqual(['file.credential', 'file.credential'])
  })

  proves('jail.bounded', 'a file over the limit is refused, not cut', async (world) => {
    expect(codeOf(await served(world).read('large.txt'))).toBe('file.too-large')
  })
}
