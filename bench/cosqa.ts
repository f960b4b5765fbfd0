/**
 * How well the code index answers real questions: CoSQA's queries over its 6,267 Python functions, with documentation
 * and without. `npm run bench:cosqa [-- --queries FILE] [--corpus FOLDER] [--workspace]`; FILE has the form of the
 * development queries. With --workspace they are put to a workspace server, over files that are parsed.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/exits/clock.ts'
import type { CodeChunk, CodeIndex, CodeSource } from '../src/kernel/ports/code-index.ts'
import { holdsCredentials } from '../src/policy/credential-paths.ts'
import { createCodeIndex } from '../src/services/code-index/index.ts'
import { partsOf, withoutComments } from '../src/services/code-index/simple-chunks.fixture.ts'
import { inTempDir } from './contestants.ts'
import { ranksInWorkspace } from './workspace-quality.ts'

const { values } = parseArgs({ options: { queries: { type: 'string' }, corpus: { type: 'string', default: '../shared/corpora/cosqa' }, workspace: { type: 'boolean', default: false } } })
/** A right answer further down counts as not found; in the mean it would be worth less than 0.005. */
const DEPTH = 200

interface Question {
  readonly doc: string
  readonly retrieval_idx: number
}

const load = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const questions = load(values.queries ?? join(values.corpus, 'cosqa-retrieval-dev-500.json')) as readonly Question[]
const functions = Object.entries(load(join(values.corpus, 'code_idx_map.txt')) as Record<string, number>)

function functionChunk(code: string): CodeChunk {
  const head = /^(?:@.*\n)*\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(code)
  const parts = partsOf(code, head?.[0].length ?? 0)
  return { name: head?.[1] ?? '', kind: 'function', container: '', ...parts, startLine: 1, endLine: code.split('\n').length }
}

/** A path that says nothing but which function it is: four letters that no word has in a row. */
const pathOf = (number: number): string => `${[...number.toString(8).padStart(5, '0')].map((digit) => 'qxzjkvwy'[Number(digit)]).join('')}.py`
const numberOf = (path: string): number => Number.parseInt([...path.slice(0, -3)].map((letter) => 'qxzjkvwy'.indexOf(letter)).join(''), 8)

const sources = (documented: boolean): readonly CodeSource[] => functions.map(([code, number]) => ({
  path: pathOf(number), contentHash: String(number),
  chunks: () => [documented ? functionChunk(code) : withoutComments(functionChunk(code))],
}))

interface Asked {
  readonly ranks: readonly number[]
  readonly tookMs: readonly number[]
  /** Processor time, which a busy machine does not stretch as it does the time on the clock. */
  readonly workMs: readonly number[]
}

async function ask(index: CodeIndex): Promise<Asked> {
  const [ranks, tookMs, workMs]: [number[], number[], number[]] = [[], [], []]
  for (const { doc, retrieval_idx } of questions) {
    const [start, work] = [performance.now(), process.cpuUsage()]
    await index.search(doc, { limit: 10, may: () => true })
    tookMs.push(performance.now() - start)
    const { user, system } = process.cpuUsage(work)
    workMs.push((user + system) / 1000)
    const { hits } = await index.search(doc, { limit: DEPTH })
    ranks.push(1 + hits.findIndex(({ path }) => numberOf(path) === retrieval_idx))
  }
  return { ranks, tookMs, workMs }
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const quantile = (numbers: readonly number[], part: number): number => [...numbers].sort((a, b) => a - b)[Math.floor(part * (numbers.length - 1))] ?? 0
const recall = (ranks: readonly number[], depth: number): string => mean(ranks.map((rank) => Number(rank > 0 && rank <= depth))).toFixed(3)

async function measure(title: string, documented: boolean): Promise<void> {
  await inTempDir(async (folder) => {
    const index = createCodeIndex({ file: join(folder, 'index.sqlite'), clock: systemClock, holdsCredentials })
    const start = performance.now()
    await index.update(sources(documented))
    const indexed = (performance.now() - start) / 1000
    const { ranks, tookMs, workMs } = await ask(index)
    index.close()
    const gain = (rank: number): number => (rank > 0 && rank <= 10 ? 1 / Math.log2(rank + 1) : 0)
    const halves = [0, 1].map((odd) => mean(ranks.filter((_, at) => at % 2 === odd).map((rank) => (rank > 0 ? 1 / rank : 0))).toFixed(3))
    process.stdout.write(`${title}: MRR ${mean(ranks.map((rank) => (rank > 0 ? 1 / rank : 0))).toFixed(4)} (halves ${halves.join(', ')})
  R@1 ${recall(ranks, 1)}  R@5 ${recall(ranks, 5)}  R@10 ${recall(ranks, 10)}  nDCG@10 ${mean(ranks.map(gain)).toFixed(3)}
  index ${indexed.toFixed(2)} s for ${functions.length} functions  query p50 ${quantile(tookMs, 0.5).toFixed(2)} ms  p95 ${quantile(tookMs, 0.95).toFixed(2)} ms (processor ${quantile(workMs, 0.5).toFixed(2)}, ${quantile(workMs, 0.95).toFixed(2)} ms)\n`)
  })
}

process.stdout.write(`${questions.length} queries\n`)
if (values.workspace) await measureWorkspace()
else {
  await measure('with doc comments', true)
  await measure('without doc comments', false)
}

async function measureWorkspace(): Promise<void> {
  const files = functions.map(([code, number]) => [pathOf(number), code] as const)
  const ranks = await ranksInWorkspace(files, questions.map(({ doc, retrieval_idx }) => ({ question: doc, path: pathOf(retrieval_idx) })))
  process.stdout.write(`through search_code: MRR ${mean(ranks.map((rank) => (rank > 0 ? 1 / rank : 0))).toFixed(4)}  R@1 ${recall(ranks, 1)}  R@5 ${recall(ranks, 5)}  R@10 ${recall(ranks, 10)}\n`)
}
