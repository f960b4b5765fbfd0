/** The adapters of the corpus, held to one contract. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJailedCorpus } from '../../src/services/corpus/index.ts'
import { describe, it } from 'vitest'
import { corpusContract } from './corpus.contract.ts'
import { openBucket } from './s3-place.ts'

corpusContract('in a jailed folder', async () => {
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-corpus-'))
  const root = join(base, 'documents')
  mkdirSync(root)
  return {
    open: (limits) => createJailedCorpus({ root, ledgerFile: join(base, 'ledger.sqlite'), ...limits }),
    remove: async () => rmSync(base, { recursive: true, force: true }),
  }
})

const S3 = process.env['ARROWHEAD_TEST_S3']
if (S3 === undefined) {
  describe('the corpus in a bucket', () => {
    it.skip('is tested where ARROWHEAD_TEST_S3 names an S3-speaking server (scripts/test-services.sh start s3)', () => {})
  })
} else corpusContract('in a bucket', () => openBucket(S3))
