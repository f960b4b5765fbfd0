/** One literal search without case through a warm corpus, jail and matcher and all, beside ripgrep on the same tree. */

import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rgPath } from '@vscode/ripgrep'
import { createJailedCorpus } from '../src/services/corpus/index.ts'
import { createMatcher, searchTexts } from '../src/services/matcher/index.ts'
import { inTempDir } from './contestants.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'

const FOLDERS = 40
const FILES_PER_FOLDER = 50
const FILE_BYTES = 26_000
/** One document in so many holds the text that is looked for, one in so many is not plain ASCII. */
const [HIT_EVERY, FOREIGN_EVERY] = [67, 10]
const FILES = FOLDERS * FILES_PER_FOLDER
const HITS = Math.ceil(FILES / HIT_EVERY)
const WANTED = 'needleword'

const WORDS = `the of and a to in is you that it for was on are as with his they at be this have from or one had by word
but not what all were we when your can said there use each which do how their if will up other about out many then them
these so some her would make like him into time has look two more write go see number way could people find long down
day did get come made may part const return function import export class value index error result request response`.split(/\s+/)
const FOREIGN = ['Größe', 'naïve', '日本語', 'Ёлка', 'résumé', '🙂']

/** A small generator with a seed, so that every run searches the same text. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

function documentText(number: number): string {
  const roll = dice(number + 1)
  const word = (): string => {
    if (number % FOREIGN_EVERY === 0 && roll(50) === 0) return FOREIGN[roll(FOREIGN.length)] ?? ''
    const plain = WORDS[roll(WORDS.length)] ?? ''
    return roll(10) === 0 ? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}` : plain
  }
  let text = ''
  while (text.length < FILE_BYTES) text += `${Array.from({ length: 4 + roll(14) }, word).join(' ')}\n`
  return number % HIT_EVERY === 0 ? `${text}here is the NeedleWord that is looked for\n` : text
}

function makeTree(root: string): void {
  for (let number = 0; number < FILES; number += 1) {
    const folder = join(root, `folder-${Math.floor(number / FILES_PER_FOLDER)}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `document-${number % FILES_PER_FOLDER}.md`), documentText(number))
  }
}

const LIMITS = {
  maxFiles: FILES + 1, maxFileBytes: 1_000_000, maxReadBytes: 1_000_000_000, maxResults: 1_000, maxSnippetBytes: 1_000_000, timeoutMs: 60_000,
}

async function timed(search: () => Promise<number>): Promise<number> {
  const start = performance.now()
  const hits = await search()
  const took = performance.now() - start
  if (hits !== HITS) throw new Error(`a search found ${hits} lines of ${HITS}`)
  return took
}

async function run({ rounds }: Effort): Promise<readonly Row[]> {
  return inTempDir(async (folder) => {
    const root = join(folder, 'documents')
    makeTree(root)
    const corpus = createJailedCorpus({
      root, extensions: ['.md'], maxDocumentBytes: 1_000_000, quotaBytes: 1_000_000_000, ledgerFile: join(folder, 'ledger.sqlite'),
    })
    const ours = () => timed(async () => {
      const matcher = await createMatcher({ query: WANTED, regex: false, caseFold: true, snippetMaxChars: 200, queryMaxChars: 200 })
      return (await searchTexts(corpus.list(''), matcher, { limits: LIMITS })).matches.length
    })
    const theirs = () => timed(async () => {
      const { stdout } = await promisify(execFile)(rgPath, ['-uu', '-i', '-F', '-n', WANTED, root])
      return stdout.split('\n').length - 1
    })
    await takeTurns(2, { ours, theirs })
    const taken = await takeTurns(rounds, { ours, theirs })
    await corpus.close()
    return [compared({ id: 'search.literal', baseline: 'ripgrep', unit: 'ms', better: 'less', ...taken })]
  })
}

export const searchLiteral: Bench = { ids: ['search.literal'], run }
