/** The adapters of the memory, held to one contract. */

import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createMemory } from '../../src/services/memory/index.ts'
import { LIMITS, memoryContract } from './memory.contract.ts'

const scratch = (): string => mkdtempSync(join(tmpdir(), 'arrowhead-memory-'))
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

memoryContract('in a jailed folder', async () => {
  const root = join(scratch(), 'memory')
  return {
    open: (limits, clock) => createMemory(root, limits, clock),
    remove: async () => remove(join(root, '..')),
  }
})

const clock = { now: () => 0 }
const folderOf = (owner: string): string => createHash('sha256').update(owner).digest('hex')

it('names the folder of an owner by a digest alone', async () => {
  const root = scratch()
  const memory = createMemory(root, LIMITS, clock)
  await memory.keyValues.set('s:../../alice@example.com', { key: 'k', value: 'v', ttlSeconds: 0 })
  expect(readdirSync(root)).toEqual([folderOf('s:../../alice@example.com')])
  await memory.close()
  remove(root)
})

it('follows no link out of its root', async () => {
  const [root, outside] = [scratch(), scratch()]
  symlinkSync(outside, join(root, folderOf('s:eve')))
  const memory = createMemory(root, LIMITS, clock)
  await expect(memory.keyValues.set('s:eve', { key: 'k', value: 'v', ttlSeconds: 0 })).rejects.toMatchObject({ code: 'file.unavailable' })
  expect(readdirSync(outside)).toEqual([])
  await memory.close()
  remove(root)
  remove(outside)
})

it('leaves no trace of a deleted value in the database file', async () => {
  const root = scratch()
  const memory = createMemory(root, LIMITS, clock)
  await memory.keyValues.set('s:a', { key: 'k', value: 'hunter2-hunter2', ttlSeconds: 0 })
  await memory.keyValues.remove('s:a', 'k')
  await memory.close()
  const kept = readdirSync(join(root, folderOf('s:a')))
  expect(kept).toContain('memory.sqlite')
  for (const name of kept) expect(readFileSync(join(root, folderOf('s:a'), name)).includes('hunter2-hunter2')).toBe(false)
  remove(root)
})

it('starts anew when the database was taken away while it was open', async () => {
  const root = scratch()
  const memory = createMemory(root, LIMITS, clock)
  await memory.keyValues.set('s:a', { key: 'k', value: 'v', ttlSeconds: 0 })
  remove(join(root, folderOf('s:a')))
  expect(await memory.keyValues.get('s:a', 'k')).toBeUndefined()
  await memory.keyValues.set('s:a', { key: 'k', value: 'w', ttlSeconds: 0 })
  expect(await memory.keyValues.get('s:a', 'k')).toMatchObject({ value: 'w' })
  await memory.close()
  remove(root)
})

it('serves more owners than it holds databases open', async () => {
  const root = scratch()
  const memory = createMemory(root, LIMITS, clock)
  const owners = Array.from({ length: 150 }, (_, index) => `s:${index}`)
  await Promise.all(owners.map((owner) => memory.keyValues.set(owner, { key: 'who', value: owner, ttlSeconds: 0 })))
  const values = await Promise.all(owners.map((owner) => memory.keyValues.get(owner, 'who')))
  expect(values.map((value) => value?.value)).toEqual(owners)
  await memory.close()
  remove(root)
})

it('refuses to read what is no database, and says so to nobody but the operator', async () => {
  const root = scratch()
  const memory = createMemory(root, LIMITS, clock)
  await memory.keyValues.set('s:a', { key: 'k', value: 'v', ttlSeconds: 0 })
  await memory.close()
  for (const name of readdirSync(join(root, folderOf('s:a')))) rmSync(join(root, folderOf('s:a'), name))
  writeFileSync(join(root, folderOf('s:a'), 'memory.sqlite'), 'x'.repeat(5000))
  const again = createMemory(root, LIMITS, clock)
  await expect(again.keyValues.get('s:a', 'k')).rejects.toMatchObject({ code: expect.stringContaining('SQLITE_NOTADB') })
  await again.close()
  remove(root)
})
