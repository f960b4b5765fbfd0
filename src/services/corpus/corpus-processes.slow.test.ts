import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest'
import { type CorpusFolder, corpusFolder } from './corpus.fixture.ts'
import { buildWriters, killRounds, type Writers, writeTogether } from './corpus-processes.fixture.ts'

describe('one corpus and several processes', () => {
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

  it('loses no document and keeps the quota to the byte when two of them write 300 documents each', () =>
    writeTogether(writers, folder, 300), 120_000)

  it('holds whole documents and an exact ledger after a writer was killed, twenty times over', () =>
    killRounds(writers, folder, 20), 120_000)
})
