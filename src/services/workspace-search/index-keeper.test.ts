import { expect, it } from 'vitest'
import type { CodeIndex, CodeSource } from '../../kernel/ports/code-index.ts'
import { testClock } from '../../testing/index.ts'
import { IndexKeeper } from './index-keeper.ts'

function open() {
  const [clock, taken] = [testClock(), [] as string[]]
  const index = {
    async update(sources: AsyncIterable<CodeSource>) {
      for await (const { path } of sources) taken.push(path)
      return { complete: true }
    },
    freshness: () => ({ updatedAtMs: null }),
  } as unknown as CodeIndex
  async function* sources(): AsyncGenerator<CodeSource> {
    for (const path of ['a', 'b', 'c']) yield { path, contentHash: '', chunks: () => Promise.resolve([]) }
  }
  const keeper = new IndexKeeper({ index: () => index, clock, onFault: () => {}, look: () => ({ sources: sources(), isCut: () => false }) })
  return { clock, keeper, taken }
}

/** A question that is worked on until it is let go. */
function question(keeper: IndexKeeper) {
  let end = (): void => {}
  const done = keeper.before(() => new Promise<void>((resolve) => void (end = resolve)))
  return { done, end: () => end() }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('stands still while somebody is answered, and goes on after that', async () => {
  const { keeper, taken } = open()
  const [one, two] = [question(keeper), question(keeper)]
  const look = keeper.refresh()
  await turn()
  one.end()
  await turn()
  expect(taken).toEqual([])
  two.end()
  await look
  expect(taken).toEqual(['a', 'b', 'c'])
  await Promise.all([one.done, two.done])
})

it('gives way to nobody any more once it stood still for long', async () => {
  const { clock, keeper, taken } = open()
  const first = question(keeper)
  const look = keeper.refresh()
  await turn()
  clock.pass(60_000)
  const second = question(keeper)
  first.end()
  await look
  expect(taken).toEqual(['a', 'b', 'c'])
  second.end()
  await second.done
})

it('begins in a moment, or at once for whoever needs it, and says until then that files may be missing', async () => {
  const { keeper, taken } = open()
  keeper.begin()
  expect([keeper.isWaiting, keeper.state, taken]).toEqual([true, 'building', []])
  await keeper.refresh()
  expect([keeper.isWaiting, taken]).toEqual([false, ['a', 'b', 'c']])
  await keeper.close()

  const other = open()
  other.keeper.begin()
  await expect.poll(() => other.taken.length).toBe(3)
  expect(other.keeper.isWaiting).toBe(false)
})

it('does not begin once it was closed', async () => {
  const { keeper, taken } = open()
  keeper.begin()
  await keeper.close()
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(taken).toEqual([])
})
