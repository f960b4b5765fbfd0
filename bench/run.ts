/** Measures the package against its baselines, prints a table and, after a whole run, writes bench/results.json. */

import { existsSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { contentClean } from './content.ts'
import { codeIndex } from './code-index.ts'
import { httpGuards, httpLegacy, httpModern, httpScale } from './http.ts'
import { inprocCall, inprocHandler } from './inproc.ts'
import { MEANING } from './meaning.ts'
import { packContextBench } from './pack-context.ts'
import { repoTools } from './repo.ts'
import type { Bench, Effort, Row } from './rounds.ts'
import { runSnippet } from './runners.ts'
import { searchLiteral } from './search.ts'
import { secretScan } from './secrets.ts'
import { start } from './start.ts'
import { state } from './state.ts'
import { stdioRps } from './stdio.ts'
import { rounded, tableOf } from './table.ts'
import { listTokens } from './tokens.ts'
import { workspace } from './workspace.ts'

const RESULTS = 'bench/results.json'
/** Beyond this many rounds the calls of one bench could reach the raised ceilings. */
const MAX_ROUNDS = 15
const MIN_ROUNDS = 5

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    quick: { type: 'boolean', default: false },
    bin: { type: 'string', default: 'dist/bin/arrowhead.js' },
  },
})
const { bin, only, quick } = values
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAX_ROUNDS) throw new RangeError(`--rounds: 1 to ${MAX_ROUNDS}`)

const benches: readonly Bench[] = [
  inprocCall, inprocHandler, stdioRps(bin, 'legacy'), stdioRps(bin, 'modern'), httpModern, httpLegacy, httpGuards, httpScale, start(bin), listTokens(bin), searchLiteral, contentClean, secretScan, codeIndex, state, runSnippet, repoTools, packContextBench, workspace,
]
const known = benches.flatMap(({ ids }) => ids)
const wanted = only?.split(',') ?? known
if (wanted.some((id) => !known.includes(id))) throw new RangeError(`--only: ids among ${known.join(', ')}`)
const unsaid = known.filter((id) => MEANING[id] === undefined)
if (unsaid.length > 0) throw new Error(`bench/meaning.ts does not say what these measure: ${unsaid.join(', ')}`)
if (!existsSync(bin)) throw new Error(`${bin} is missing: npm run build`)

const effort: Effort = quick ? { rounds: 2, sliceMs: 300 } : { rounds, sliceMs: 1_000 }
const rows: Row[] = []
for (const bench of benches) {
  if (!bench.ids.some((id) => wanted.includes(id))) continue
  process.stderr.write(`${bench.ids.join(', ')} ...\n`)
  const measured = await bench.run(effort)
  // Resident memory is read from /proc, which not every system has.
  rows.push(...measured.filter(({ id, ratio }) => wanted.includes(id) && Number.isFinite(ratio)).map(rounded))
}
process.stdout.write(tableOf(rows))
// A part or a hurried run says too little to be kept.
if (only === undefined && !quick && rounds >= MIN_ROUNDS) writeFileSync(RESULTS, `${JSON.stringify(rows, undefined, 2)}\n`)
