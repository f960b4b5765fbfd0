/** Whether a bucket can hold a corpus that many share: reached, writable, and holding to conditions. */

import type { OperatorClient } from '../../exits/net/index.ts'
import { createS3Objects } from './s3-objects.ts'
import { createS3Requests } from './s3-requests.ts'
import type { S3Place } from './s3-requests.ts'

/** No document has this name: names that begin with a dot are the corpus's own. */
const KEY = '.arrowhead-probe'

/**
 * Leaves one empty object behind. @returns whether a write was refused because something stands there already; a service
 * that ignores the condition would lose documents. @throws Refusal `corpus.unavailable`.
 */
export async function holdsToConditions(client: () => Promise<OperatorClient>, place: S3Place): Promise<boolean> {
  const objects = createS3Objects(createS3Requests(client, place))
  const put = (): Promise<string | false> => objects.put(KEY, new Uint8Array(), { when: { absent: true }, writeId: 'probe' })
  await put()
  return (await put()) === false
}
