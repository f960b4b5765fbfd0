import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchFolders } from './watch-folders.ts'
import type { FolderWatch } from './watch-folders.ts'

let [root, changes] = ['', 0]
let watched: FolderWatch
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-watch-')))
  for (const folder of ['a', 'b']) mkdirSync(join(root, folder))
  changes = 0
  watched = watchFolders(root, () => void (changes += 1))
})
afterEach(() => {
  watched.close()
  rmSync(root, { recursive: true, force: true })
})

it('hears of what changes in a folder it was given, and of nothing elsewhere', async () => {
  expect(watched.only(new Set(['a']))).toBe(true)
  writeFileSync(join(root, 'b', 'x'), '1')
  writeFileSync(join(root, 'a', 'x'), '1')
  await expect.poll(() => changes).toBeGreaterThan(0)
  expect(watched.only(new Set(['b']))).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 50))
  changes = 0
  writeFileSync(join(root, 'a', 'y'), '1')
  writeFileSync(join(root, 'b', 'y'), '1')
  await expect.poll(() => changes).toBeGreaterThan(0)
})

it('says so where it cannot hear of everything', () => {
  expect(watched.only(new Set(['a', 'not-there']))).toBe(false)
  expect(watched.only(new Set(Array.from({ length: 2_049 }, (_, at) => `f${at}`)))).toBe(false)
})
