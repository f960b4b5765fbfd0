import { describe, expect, it } from 'vitest'
import type { CorpusEntry } from '../../kernel/ports/corpus.ts'
import { refusal } from '../../kernel/refusal.ts'
import { memoryCorpus } from '../../testing/memory-corpus.ts'
import { completePath, completePrefix } from './complete-path.ts'
import { allowed, canonical } from './document.ts'

const MANY = 10_000

/** A listing that knows how far it was looked through and whether it was closed. `onEntry` runs before each. */
function listing(onEntry: (index: number) => void = () => {}) {
  const state = { given: 0, closed: false }
  async function* entries(): AsyncGenerator<CorpusEntry> {
    try {
      for (let index = 0; index < MANY; index += 1) {
        onEntry(index)
        state.given += 1
        yield { path: `hr/${index}.md`, size: 1, modifiedMs: 0, read: () => Uint8Array.of(0x61) }
      }
    } finally {
      state.closed = true
    }
  }
  return { state, entries }
}

const drained = async (entries: AsyncIterable<CorpusEntry>): Promise<number> => {
  let count = 0
  for await (const _entry of entries) count += 1
  return count
}

describe('a listing of documents that the caller may not see', () => {
  it.each([['with its own refusal', refusal('call.timeout'), 'call.timeout'], ['without one', undefined, 'call.cancelled']])(
    'ends soon after the signal aborted %s, and closes its source', async (_how, reason, code) => {
      const controller = new AbortController()
      const { state, entries } = listing((index) => { if (index === 1000) controller.abort(reason) })
      await expect(drained(allowed({ list: entries }, '', { may: () => false, mayBelow: () => true, signal: controller.signal }))).rejects.toMatchObject({ name: 'Refusal', code })
      expect(state.given).toBeLessThanOrEqual(1000 + 257)
      expect(state.closed).toBe(true)
    })

  it('is looked through to its end while somebody waits', async () => {
    const { state, entries } = listing()
    expect(await drained(allowed({ list: entries }, '', { may: async () => false, mayBelow: () => true, signal: new AbortController().signal }))).toBe(0)
    expect(state.given).toBe(MANY)
  })

  it('is not begun where nothing below the prefix could be allowed, so that time tells nothing either', async () => {
    const { state, entries } = listing()
    const asked: string[] = []
    const context = { may: () => true, mayBelow: ({ id }: { readonly id: string }) => asked.push(id) < 0, signal: new AbortController().signal }
    expect(await drained(allowed({ list: entries }, 'hr/', context))).toBe(0)
    expect([state.given, asked]).toEqual([0, ['hr/']])
  })

  it.each([['paths', completePath], ['folders', completePrefix]])('ends for completions of %s as well', async (_what, complete) => {
    for (const may of [false, true]) {
      const { state, entries } = listing()
      const corpus = { ...memoryCorpus(), list: entries }
      const done = (async () => complete('', { corpus }, { subject: 'ann', may: () => may, mayBelow: () => true, signal: AbortSignal.abort() }))()
      await expect(done).rejects.toMatchObject({ code: 'call.cancelled' })
      expect([state.given, state.closed]).toEqual([1, true])
    }
  })
})

it.each([
  ['./notes//todo.md', 'notes/todo.md'], ['cafe\u0301.md', 'caf\u00e9.md'], ['notes/', 'notes/'], ['notes/.', 'notes/'], ['notes/./', 'notes/'],
  ['', ''], ['.', ''], ['./', ''], ['/', '/'], ['/notes/', '/notes/'], ['notes', 'notes'], ['notes/..', 'notes/..'],
])('spells %j as %j', (path, spelling) => {
  expect(canonical(path)).toBe(spelling)
  expect(canonical(spelling)).toBe(spelling)
})
