/** A workspace server over 3,000 files beside ripgrep: its first answer over a tree that it never saw, then warm ones, and what they weigh. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rgPath } from '@vscode/ripgrep'
import { inTempDir } from './contestants.ts'
import { nounOf, p95, timed, verbOf, write } from './made-tree.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'
import { openWorkspaceBench } from './workspace-app.ts'

const FILES = 3_000
const FUNCTIONS = 8
/** A tree is new only once. */
const MAX_FIRST_ROUNDS = 3
const QUESTIONS = 60
const MAX_ANSWER_BYTES = 2_048

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const nameOf = (file: number, at: number): string => `${verbOf(file + at)}${capital(nounOf(file * 7 + at * 3))}${file}x${at}`

function makeTree(root: string): void {
  for (let file = 0; file < FILES; file += 1) {
    const path = join(root, `src/part-${file % 60}/module-${file}.ts`)
    const functions = Array.from({ length: FUNCTIONS }, (_, at) => `/** Tries to ${verbOf(file + at)} the ${nounOf(file * 7 + at * 3)} once. */\nexport async function ${nameOf(file, at)}(first: number, second: string): Promise<number> {\n  const total = first + second.length\n  return total * ${file}\n}\n`)
    write(path, `import { join } from 'node:path'\n\n${functions.join('\n')}`)
  }
}

/** Names that stand in the tree once, and questions in words. */
const QUESTION_LIST = Array.from({ length: QUESTIONS }, (_, at) => (at % 2 === 0 ? nameOf(at * 47, at % FUNCTIONS) : `${verbOf(at)} the ${nounOf(at * 11)}`))

async function p95Of(ask: (question: string) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (const question of QUESTION_LIST) times.push(await timed(() => ask(question)))
  return p95(times)
}

async function run({ rounds }: Effort): Promise<readonly Row[]> {
  return inTempDir(async (folder) => {
    const root = join(folder, 'repo')
    makeTree(root)
    const ripgrep = (question: string) => promisify(execFile)(rgPath, ['-n', '-F', '-i', '--max-count', '50', question.split(' ').at(-1) ?? '', root], { maxBuffer: 100_000_000 })
    let number = 0
    const first = await takeTurns(Math.min(rounds, MAX_FIRST_ROUNDS), {
      ours: async () => {
        const server = openWorkspaceBench(root, join(folder, `data-${(number += 1)}`))
        const took = await timed(() => server.ask(QUESTION_LIST[0] ?? ''))
        await server.close()
        return took
      },
      theirs: () => timed(() => ripgrep(QUESTION_LIST[0] ?? '')),
    })
    const server = openWorkspaceBench(root, join(folder, 'data'))
    while (!(await server.ask('x')).index.startsWith('complete')) await new Promise((resolve) => setTimeout(resolve, 200))
    await p95Of((question) => server.ask(question))
    const warm = await takeTurns(rounds, { ours: () => p95Of((question) => server.ask(question)), theirs: () => p95Of(ripgrep) })
    const bytes: number[] = []
    for (const question of QUESTION_LIST) bytes.push((await server.ask(question)).bytes)
    await server.close()
    return [
      compared({ id: 'workspace.first', baseline: 'ripgrep', unit: 'ms', better: 'less', ours: first.ours, theirs: first.theirs }),
      compared({ id: 'workspace.warm-p95', baseline: 'ripgrep', unit: 'ms', better: 'less', ours: warm.ours, theirs: warm.theirs }),
      compared({ id: 'workspace.answer', baseline: 'two kilobytes', unit: 'bytes at most', better: 'less', ours: [Math.max(...bytes)], theirs: [MAX_ANSWER_BYTES] }),
    ]
  })
}

export const workspace: Bench = { ids: ['workspace.first', 'workspace.warm-p95', 'workspace.answer'], run }
