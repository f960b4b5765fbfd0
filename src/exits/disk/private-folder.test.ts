import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ensurePrivateFolder } from './private-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'arrowhead-private-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('makes every missing level for its owner alone, once and again', () => {
  const deep = join(folder, 'a', 'b', 'c')
  ensurePrivateFolder(deep)
  ensurePrivateFolder(deep)
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
  expect(statSync(deep).mode & 0o777).toBe(0o700)
})

it('comes back with an error where nothing can be made', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => ensurePrivateFolder(join(folder, 'file', 'x'))).toThrow()
  if (existsSync('/proc/self')) expect(() => ensurePrivateFolder('/proc/none/deep')).toThrow()
})
