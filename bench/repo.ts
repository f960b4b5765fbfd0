/** The code tools over one warm source tree: searches beside ripgrep, the symbol map and the import graph as rates. */

import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rgPath } from '@vscode/ripgrep'
import { openRepo } from '../src/app/repo.ts'
import { loadSettings } from '../src/config/index.ts'
import type { RepoAsker } from '../src/kernel/ports/repo.ts'
import { createSymbols } from '../src/services/symbols/index.ts'
import { inTempDir } from './contestants.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'

const FILES = 2_000
const FUNCTIONS = 40
/** One file in so many holds the word that is looked for. */
const HIT_EVERY = 67
const HITS = Math.ceil(FILES / HIT_EVERY)
const MEGABYTE = 1_000_000

const pathOf = (number: number): string => `src/part-${number % 40}/module-${number}.ts`

function sourceText(number: number): string {
  const next = (number + 1) % FILES
  const functions = Array.from({ length: FUNCTIONS }, (_, at) => `/** Adds what part ${at} needs. */\nexport function task${number}x${at}(first: number, second: string): number {\n  const total = first + second.length\n  if (total > ${at}) return helper(total)\n  return total * ${number}\n}\n`)
  const hit = number % HIT_EVERY === 0 ? '// here is the needleWord that is looked for\n' : ''
  return `import { helper } from '../part-${next % 40}/module-${next}.js'\nimport { join } from 'node:path'\n\n${functions.join('\n')}\nexport const helper = (value: number): number => value\n${hit}`
}

function makeTree(root: string): number {
  let bytes = 0
  for (let number = 0; number < FILES; number += 1) {
    const [at, text] = [join(root, pathOf(number)), sourceText(number)]
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
    bytes += text.length
  }
  return bytes
}

const asker: RepoAsker = { may: () => true, signal: new AbortController().signal }

async function timed(work: () => Promise<number>, wanted: number): Promise<number> {
  const start = performance.now()
  const got = await work()
  const took = performance.now() - start
  if (got !== wanted) throw new Error(`${got} instead of ${wanted}`)
  return took
}

async function run({ rounds }: Effort): Promise<readonly Row[]> {
  return inTempDir(async (folder) => {
    const root = join(folder, 'repo')
    const bytes = makeTree(root)
    const settings = {
      repoRoot: root, searchRegexEnabled: true, searchRegexTimeoutMs: 60_000, searchMaxResults: 1_000, repoSearchMaxFiles: FILES + 1, symbolMapMaxFiles: FILES + 1, symbolMapMaxSymbols: 1_000_000,
      dependencyGraphMaxFiles: FILES + 1, outputMaxBytes: 1_000_000_000,
    }
    const repo = openRepo(loadSettings({ file: JSON.stringify(settings) }).values, createSymbols())
    const ours = (query: string, regex: boolean) => () => timed(async () => (await repo.search({ query, regex, prefix: '' }, asker)).matches.length, HITS)
    const ripgrep = (...args: readonly string[]) => () => timed(async () => (await promisify(execFile)(rgPath, ['-n', ...args, root])).stdout.split('\n').length - 1, HITS)
    const contestants = {
      literal: ours('needleword', false), rgLiteral: ripgrep('-i', '-F', 'needleword'), regex: ours('needle[A-Z]\\w+ that', true), rgRegex: ripgrep('needle[A-Z]\\w+ that'),
      symbols: () => timed(async () => (await repo.symbols('', asker)).symbols.length, FILES * (FUNCTIONS + 1)),
      imports: () => timed(async () => (await repo.imports('', asker)).edges.length, FILES * 2),
    }
    await takeTurns(1, contestants)
    const taken = await takeTurns(rounds, contestants)
    await repo.close()
    // A rate stands beside a fixed mark of its own, as there is nothing to compare it with.
    const rate = (times: readonly number[], amount: number): readonly number[] => times.map((ms) => (amount * 1_000) / ms)
    const alone = (id: string, unit: string, rates: readonly number[]): Row => compared({ id, baseline: 'one a second', unit, better: 'more', ours: rates, theirs: rates.map(() => 1) })
    return [
      compared({ id: 'repo.literal', baseline: 'ripgrep', unit: 'ms', better: 'less', ours: taken.literal, theirs: taken.rgLiteral }),
      compared({ id: 'repo.regex', baseline: 'ripgrep', unit: 'ms', better: 'less', ours: taken.regex, theirs: taken.rgRegex }),
      alone('repo.symbols', 'MB/s', rate(taken.symbols, bytes / MEGABYTE)),
      alone('repo.imports', 'files/s', rate(taken.imports, FILES)),
    ]
  })
}

export const repoTools: Bench = { ids: ['repo.literal', 'repo.regex', 'repo.symbols', 'repo.imports'], run }
