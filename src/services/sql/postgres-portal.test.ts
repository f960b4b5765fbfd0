import { expect, it } from 'vitest'
import { createOpening, PostgresPortion, UnwantedCopy } from './postgres-portal.ts'
import { createRowSink } from './row-sink.ts'

it.each(['handleCopyInResponse', 'handleCopyData'] as const)('fails when the database begins a COPY, which the driver tells by %s', async (told) => {
  const limits = { maxRows: 1, maxBytes: 1_000, maxColumns: 1, timeoutMs: 1_000 }
  const portion = new PostgresPortion({ query: { text: 'COPY', values: [], limits }, sink: createRowSink(limits), opening: createOpening([]), atOnce: true })
  portion[told]()
  portion.handleReadyForQuery()
  await expect(portion.done).rejects.toBeInstanceOf(UnwantedCopy)
})
