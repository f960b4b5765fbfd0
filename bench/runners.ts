/** One snippet through the whole chain in each runner that is here, beside the same program started bare. */

import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createArrowhead } from '../src/index.ts'
import type { Session } from '../src/doors/library/create-arrowhead.ts'
import { inTempDir, RAISED_CEILINGS } from './contestants.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'

const RUNNERS = { subprocess: 'python', sandbox: 'python', wasm: 'javascript' } as const
type Name = keyof typeof RUNNERS
const CODE = { python: 'print(6 * 7)', javascript: 'console.log(6 * 7)' } as const
const FILES = { python: 'bare.py', javascript: 'bare.js' } as const
/** Runs of one contestant in a row; their median is one measurement. */
const IN_A_ROW = 9

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < IN_A_ROW; run += 1) {
    const startedAt = performance.now()
    if (!String(await work()).includes('42')) throw new Error('a snippet gave a wrong answer')
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[IN_A_ROW >> 1] ?? 0
}

async function measured(name: Name, folder: string, { rounds }: Effort): Promise<Row> {
  const language = RUNNERS[name]
  const log = (): boolean => true
  const arrowhead = createArrowhead({ ...RAISED_CEILINGS, execEnabled: true, execRunner: name, execWorkdir: join(folder, 'scratch'), rateLimitEnabled: false }, { dataDir: join(folder, name), log })
  const session: Session = arrowhead.asLocal()
  const [program, ...args] = language === 'python' ? ['/usr/bin/python3', '-I', '-B'] : [process.execPath]
  const turns = {
    ours: () => medianMs(async () => (await session.call('run_snippet', { code: CODE[language], language }))['stdout']),
    theirs: () => medianMs(async () => (await promisify(execFile)(program, [...args, join(folder, FILES[language])])).stdout),
  }
  await takeTurns(1, turns)
  const row = compared({ id: `run_snippet.${name}`, baseline: `bare ${language}`, unit: 'ms', better: 'less', ...(await takeTurns(rounds, turns)) })
  await arrowhead.close()
  return row
}

async function run(effort: Effort): Promise<readonly Row[]> {
  return inTempDir(async (folder) => {
    chmodSync(folder, 0o755)
    for (const language of ['python', 'javascript'] as const) writeFileSync(join(folder, FILES[language]), CODE[language])
    const rows: Row[] = []
    for (const name of Object.keys(RUNNERS) as Name[]) {
      try {
        rows.push(await measured(name, folder, effort))
      } catch (error) {
        process.stderr.write(`run_snippet.${name} is left out: ${String(error)}\n`)
      }
    }
    return rows
  })
}

export const runSnippet: Bench = { ids: (Object.keys(RUNNERS) as Name[]).map((name) => `run_snippet.${name}`), run }
