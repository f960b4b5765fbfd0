/** How a table is named to grants: `schema.table`, and for one of the default schema the bare name too. */

/** What a query reads, as the dialect resolves names. No schema means the default one. */
export interface Relation {
  readonly schema?: string
  readonly name: string
}

/** A part that holds what divides parts, or a quote, is quoted, so that no two tables share an identifier. */
const part = (name: string): string => (/["./]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)

/** The identifier that grants match: `schema.table`. */
export const relationId = ({ schema, name }: Relation, defaultSchema: string): string => `${part(schema ?? defaultSchema)}.${part(name)}`

/** The bare name of a table of the default schema; undefined for any other. */
export const bareName = ({ schema, name }: Relation, defaultSchema: string): string | undefined =>
  schema === undefined || schema === defaultSchema ? part(name) : undefined

/** Each relation once, in a stable order. */
export function distinct(relations: readonly Relation[]): readonly Relation[] {
  const known = new Map(relations.map((relation) => [JSON.stringify([relation.schema ?? null, relation.name]), relation]))
  return [...known.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, relation]) => relation)
}
