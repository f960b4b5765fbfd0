/** One document as text with its provenance, for the tool and the resource alike. The chain cleans it. */

import type * as z from 'zod'
import type { Services } from '../../kernel/services.ts'
import { canonical, formatOf } from './document.ts'
import type { metadata } from './document.ts'

export interface LoadedDocument {
  readonly text: string
  readonly metadata: z.input<typeof metadata>
}

/** @throws Refusal as the corpus says, or `content.encoding`. */
export async function loadDocument(path: string, { clock, content, corpus }: Pick<Services, 'clock' | 'content' | 'corpus'>): Promise<LoadedDocument> {
  const { bytes, path: source, sha256 } = await corpus.read(canonical(path))
  const text = content.decode(bytes)
  return { text, metadata: { source, kind: 'document', format: formatOf(source), sha256, retrieved_at: new Date(clock.now()).toISOString() } }
}
