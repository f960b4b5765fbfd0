/** Names of a collection's columns. They come from the settings alone, which take plain identifiers only. */

export interface ColumnNames {
  readonly tenant: string
  readonly id: string
  readonly content: string
  readonly embedding: string
  readonly source: string
  readonly chunkIndex: string
  readonly contentHash: string
  readonly tsvector: string
}

export const DEFAULT_COLUMNS: ColumnNames = {
  tenant: 'tenant', id: 'id', content: 'content', embedding: 'embedding', source: 'source', chunkIndex: 'chunk_index', contentHash: 'content_hash',
  tsvector: 'content_tsv',
}

/** An identifier between quotes. @throws TypeError for one that is not plain. */
export function quoted(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name)) throw new TypeError('not a plain SQL identifier')
  return `"${name}"`
}

export const quotedColumns = (columns: ColumnNames): ColumnNames =>
  Object.fromEntries(Object.entries(columns).map(([key, name]: [string, string]) => [key, quoted(name)])) as unknown as ColumnNames

/** Collections live in a schema of ours, where no query of a caller reaches. */
export const tableOf = (collection: string): string => `arrowhead.${quoted(collection)}`
