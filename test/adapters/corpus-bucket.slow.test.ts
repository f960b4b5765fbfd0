/** The corpus in a bucket, held to the contract of every corpus; hundreds of requests to a server that answers one at a time. */

import { describe, it } from 'vitest'
import { corpusContract } from './corpus.contract.ts'
import { openBucket } from './s3-place.ts'

const S3 = process.env['ARROWHEAD_TEST_S3']
if (S3 === undefined) {
  describe('the corpus in a bucket', () => {
    it.skip('is tested where ARROWHEAD_TEST_S3 names an S3-speaking server (scripts/test-services.sh start s3)', () => {})
  })
} else corpusContract('in a bucket', () => openBucket(S3))
