/**
 * pack_context over 50,000 source files and 300 documents, through the whole chain, beside one ripgrep over the same
 * files: questions one after the other, and questions that come when the last look at the tree is old. The first one
 * fills the index; what it costs is a row of its own.
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rgPath } from '@vscode/ripgrep'
import { createArrowhead } from '../src/index.ts'
import { inTempDir } from './contestants.ts'
import { nounOf, p95, timed, verbOf, write } from './made-tree.ts'
import { compared } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'

const [FILES, DOCUMENTS, FUNCTIONS, FOLDERS] = [50_000, 300, 3, 500]
const QUESTIONS_PER_ROUND = 20
/** Longer than a look at the tree is believed. */
const STALE_MS = 11_000
const STALE_QUESTIONS = 5
const FILL_MS = 1_000

const nameOf = (file: number, at: number): string => `${verbOf(file + at)}_${nounOf(file * 7 + at * 3)}_${file}x${at}`

function makeWorld(folder: string): void {
  for (let file = 0; file < FILES; file += 1) {
    const functions = Array.from({ length: FUNCTIONS }, (_, at) => `def ${nameOf(file, at)}(first, second):\n    """Tries to ${verbOf(file + at)} the ${nounOf(file * 7 + at * 3)} once."""\n    return first + second * ${file}\n`)
    write(join(folder, `repo/src/part_${file % FOLDERS}/module_${file}.py`), functions.join('\n'))
  }
  for (let at = 0; at < DOCUMENTS; at += 1) write(join(folder, `documents/note-${at}.md`), `# How to ${verbOf(at)} the ${nounOf(at * 11)}\n\n${`The ${nounOf(at)} is ${verbOf(at * 3)} once a day, and then once more.\n`.repeat(60)}`)
}

const questionOf = (at: number): string => (at % 2 === 0 ? nameOf((at * 347) % FILES, at % FUNCTIONS) : `how to ${verbOf(at)} the ${nounOf(at * 11)}`)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** An answer that found nothing would be a quick one. */
function check(answer: unknown, at: number): void {
  const { snippets = [] } = answer as { readonly snippets?: readonly { readonly content: string }[] }
  if (at % 2 === 0 && !snippets.some(({ content }) => content.includes(`def ${questionOf(at)}(`))) throw new Error(`${questionOf(at)} was not found`)
  if (snippets.length === 0) throw new Error(`nothing for ${questionOf(at)}`)
}

async function run({ rounds }: Effort): Promise<readonly Row[]> {
  return inTempDir(async (folder) => {
    makeWorld(folder)
    const dataDir = join(folder, 'data')
    const settings = { repoRoot: join(folder, 'repo'), docsRoot: join(folder, 'documents'), jailRoot: folder, repoSearchMaxFiles: FILES + 1, rateLimitEnabled: false, callTimeoutSeconds: 3_600 }
    const app = createArrowhead(settings, { dataDir, log: () => true })
    const session = app.asLocal()
    const ask = async (at: number): Promise<unknown> => session.call('pack_context', { query: questionOf(at) })
    const fillMs = await timed(async () => {
      while ((await ask(1) as { readonly code_index?: string }).code_index?.startsWith('complete') === false) await pause(FILL_MS)
    })
    const [ours, theirs, stale]: [number[], number[], number[]] = [[], [], []]
    let at = 0
    for (let round = 0; round < rounds; round += 1) {
      const [times, others]: [number[], number[]] = [[], []]
      for (let question = 0; question < QUESTIONS_PER_ROUND; question += 1, at += 1) {
        let answer: unknown
        times.push(await timed(async () => (answer = await ask(at))))
        check(answer, at)
      }
      for (let question = 0; question < 3; question += 1) others.push(await timed(() => promisify(execFile)(rgPath, ['-F', '-l', questionOf(question * 2), join(folder, 'repo')])))
      ours.push(p95(times))
      theirs.push(p95(others))
    }
    for (let question = 0; question < STALE_QUESTIONS; question += 1) {
      await pause(STALE_MS)
      stale.push(await timed(() => ask(question)))
    }
    await app.close()
    return [
      compared({ id: 'pack.fill', baseline: 'one a second', unit: 'files/s', better: 'more', ours: [(FILES * 1_000) / fillMs], theirs: [1] }),
      compared({ id: 'pack.p95', baseline: 'ripgrep', unit: 'ms', better: 'less', ours, theirs }),
      compared({ id: 'pack.stale-p95', baseline: 'ripgrep', unit: 'ms', better: 'less', ours: [p95(stale)], theirs: [p95(theirs)] }),
    ]
  })
}

export const packContextBench: Bench = { ids: ['pack.fill', 'pack.p95', 'pack.stale-p95'], run }
