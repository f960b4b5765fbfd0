/** Processes that write to one corpus: more documents, more kills. */

import { afterAll, afterEach, beforeAll, beforeEach, it } from 'vitest'
import { type CorpusFolder, corpusFolder } from './corpus.fixture.ts'
import { buildWriters, killRounds, type Writers, writeTogether } from './corpus-processes.fixture.ts'

let writers: Writers
let folder: CorpusFolder
beforeAll(async () => {
  writers = await buildWriters()
})
afterAll(() => writers.remove())
beforeEach(() => {
  folder = corpusFolder()
})
afterEach(() => folder.remove())

it('two processes that write 1,000 documents each lose none and keep the quota to the byte', () => writeTogether(writers, folder, 1_000))

it('a writer that is killed 200 times leaves whole documents and an exact ledger', () => killRounds(writers, folder, 200))
