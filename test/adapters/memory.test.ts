/** The adapters of the memory, held to one contract. */

import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createMemory, createServerMemory } from '../../src/services/memory/index.ts'
import { createDeterministicEmbedder } from '../../src/services/embedding/index.ts'
import type { Embedder } from '../../src/kernel/ports/embedding.ts'
import { onServer } from './state-server.ts'
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

onServer('the memory', (server) => {
  memoryContract('on a server', async () => ({ open: (limits, at) => createServerMemory(server.store(), limits, { clock: at }), remove: () => server.clear() }))

  describe('recall by meaning', () => {
    /** Stands for a real model: a few words mean the same. */
    const meaning = (label = 'm'): Embedder & { fails: boolean } => {
      const words = createDeterministicEmbedder({ dimensions: 64, maxTexts: 100 })
      const made = {
        ...words, label, semantic: true, fails: false,
        embed: async (texts: readonly string[], context: Parameters<Embedder['embed']>[1]) => {
          if (made.fails) throw new Error('down')
          return words.embed(texts.map((text) => text.replaceAll(/automobile|vehicle/g, 'car')), context)
        },
      }
      return made
    }
    const open = (embedder?: Embedder) => createServerMemory(server.store(), LIMITS, { clock, embedder })
    const keep = (memory: ReturnType<typeof open>, content: string) => memory.memories.store('s:a', { namespace: 'n', content, metadata: {} })
    const ask = (memory: ReturnType<typeof open>, query: string) => memory.memories.search('s:a', { namespace: 'n', query, k: 2 })
    afterEach(() => server.clear())

    it('finds what is meant and not only what is said, and says which of both it did', async () => {
      const memory = open(meaning())
      await keep(memory, 'likes the red automobile')
      await keep(memory, 'drinks tea in the morning')
      const found = await ask(memory, 'car')
      expect(found).toMatchObject({ recall: 'semantic', hits: [{ snippet: 'likes the red automobile' }, {}] })
      expect(await ask(open(), 'car')).toEqual({ recall: 'keyword', hits: [] })
    })

    it('makes vectors for what was kept without, and for another model anew', async () => {
      await keep(open(), 'likes the red automobile')
      expect(await ask(open(meaning()), 'vehicle')).toMatchObject({ recall: 'semantic', hits: [{ snippet: 'likes the red automobile' }] })
      expect(await ask(open(meaning('other')), 'vehicle')).toMatchObject({ recall: 'semantic', hits: [{ snippet: 'likes the red automobile' }] })
    })

    it('keeps and finds by words while the model does not answer', async () => {
      const embedder = meaning()
      embedder.fails = true
      const memory = open(embedder)
      await keep(memory, 'likes the red automobile')
      expect(await ask(memory, 'automobile')).toMatchObject({ recall: 'keyword', hits: [{ snippet: 'likes the red automobile' }] })
      embedder.fails = false
      expect(await ask(memory, 'car')).toMatchObject({ recall: 'semantic', hits: [{}] })
    })

    it('knows nothing of another owner', async () => {
      const memory = open(meaning())
      await keep(memory, 'a secret automobile')
      expect(await memory.memories.search('s:b', { namespace: 'n', query: 'car', k: 2 })).toMatchObject({ hits: [] })
    })
  })
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
