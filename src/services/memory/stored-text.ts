/** Texts of callers as they are stored: bytes of UTF-8, because the library would cut a text at U+0000. */

import type { Fields } from '../../kernel/schema.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const textOf = (bytes: unknown): string => decoder.decode(bytes as Uint8Array)

export const metadataOf = (row: Readonly<Record<string, unknown>>): Fields => JSON.parse(textOf(row['metadata'])) as Fields
