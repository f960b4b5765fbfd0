/** The corpus in a folder, held to the contract of every corpus; corpus-bucket.slow.test.ts holds the one in a bucket. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJailedCorpus } from '../../src/services/corpus/index.ts'
import { corpusContract } from './corpus.contract.ts'

corpusContract('in a jailed folder', async () => {
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-corpus-'))
  const root = join(base, 'documents')
  mkdirSync(root)
  return {
    open: (limits) => createJailedCorpus({ root, ledgerFile: join(base, 'ledger.sqlite'), ...limits }),
    remove: async () => rmSync(base, { recursive: true, force: true }),
  }
})
