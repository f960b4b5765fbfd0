import { expect, it, onTestFinished } from 'vitest'
import type { CodeFreshness, CodeIndex, CodeUpdate } from '../kernel/ports/code-index.ts'
import type { Repo, RepoWalk } from '../kernel/ports/repo.ts'
import type { Declaration, Symbols } from '../kernel/ports/symbols.ts'
import { codeSources, createCodeRanker } from './code-ranker.ts'

const DONE: CodeUpdate = { indexed: 0, unchanged: 0, removed: 0, refused: 0, incomplete: 0, complete: true }

interface Given {
  readonly fresh?: Partial<CodeFreshness>
  /** What a look at the tree waits for. */
  readonly look?: () => Promise<CodeUpdate>
}

/** A ranker over an index that answers at once, with a clock that stands still. */
function rankerOf({ fresh = {}, look = async () => DONE }: Given) {
  let [ticks, looks] = [0, 0]
  const faults: unknown[] = []
  const freshness: CodeFreshness = { updatedAtMs: 5, generation: 1, complete: true, ...fresh }
  const index: CodeIndex = {
    update: () => {
      looks += 1
      return look()
    },
    change: async () => DONE, search: async () => ({ hits: [], freshness }), freshness: () => freshness, close: () => {},
  }
  const walk = { stamp: () => ({ truncated: undefined }), async *[Symbol.asyncIterator]() {} } as unknown as ReturnType<Repo['walk']>
  const ranker = createCodeRanker({ repo: { walk: () => walk }, symbols: {} as Symbols, index: () => index, clock: { ticks: () => ticks }, maxFiles: 10, onFault: (error) => void faults.push(error) })
  onTestFinished(() => ranker.close())
  return { faults, looks: () => looks, pass: (ms: number) => void (ticks += ms), rank: () => ranker.rank('x', { may: () => true, signal: new AbortController().signal, limit: 5 }) }
}

it('looks at the tree before it answers, and again only when that is old', async () => {
  const world = rankerOf({})
  expect(await world.rank()).toMatchObject({ isPartial: false, index: { asOfMs: 5, isComplete: true, isUpdating: false } })
  world.pass(9_000)
  await world.rank()
  expect(world.looks()).toBe(1)
  world.pass(2_000)
  await world.rank()
  expect(world.looks()).toBe(2)
})

it('answers from the index that it has while a look takes long, and says so', async () => {
  let end = (_: CodeUpdate): void => {}
  const world = rankerOf({ look: () => new Promise((resolve) => void (end = resolve)) })
  expect(await world.rank()).toMatchObject({ isPartial: false, index: { asOfMs: 5, isUpdating: true } })
  expect(world.looks()).toBe(1)
  end(DONE)
})

it('is partial where the index lost something, and where a look failed', async () => {
  expect(await rankerOf({ fresh: { complete: false } }).rank()).toMatchObject({ isPartial: true, index: { isComplete: false } })
  const world = rankerOf({ look: () => Promise.reject(new Error('disk')) })
  expect(await world.rank()).toMatchObject({ isPartial: true, index: { isComplete: false } })
  await world.rank()
  expect([world.looks(), world.faults.length]).toEqual([1, 1])
  world.pass(11_000)
  await world.rank()
  // It is tried again, and said once.
  expect([world.looks(), world.faults.length]).toEqual([2, 1])
})

const declared = (name: string, startLine: number, endLine: number): Declaration => ({ name, kind: 'class', container: '', signature: '', doc: '', startLine, endLine, nameLine: startLine })

/** The bodies of a file's declarations, as the index gets them. */
async function bodiesOf(text: string, declarations: readonly Declaration[]): Promise<readonly string[]> {
  const symbols = { languageOf: () => 'java', declarationsOf: async () => ({ declarations }) } as unknown as Symbols
  const walk = { async *[Symbol.asyncIterator]() { yield { path: 'A.java', size: 1, modifiedMs: 1, text: () => text } } } as unknown as RepoWalk
  const bodies: string[] = []
  for await (const { chunks } of codeSources(walk, symbols, new AbortController().signal)) bodies.push(...(await chunks()).map(({ body }) => body))
  return bodies
}

it('gives each declaration what stands behind its first line', async () => {
  expect(await bodiesOf('class A {\n  b() {\n    c\n  }\n}\nclass D {}\nclass E {\n}', [declared('A', 1, 5), declared('b', 2, 4), declared('D', 6, 6), declared('E', 7, 8)]))
    .toEqual(['  b() {\n    c\n  }\n}', '    c\n  }', '', '}'])
})

it('gives the text of a file no more than a few times, however deep its declarations lie in each other', async () => {
  const depth = 1_000
  const text = `${'class A {\n'.repeat(depth)}${'}\n'.repeat(depth)}`
  const bodies = await bodiesOf(text, Array.from({ length: depth }, (_, at) => declared('A', at + 1, 2 * depth - at)))
  expect(bodies.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(8 * text.length)
  expect(bodies[0]).toHaveLength(text.length - 'class A {\n'.length - 1)
})
