/** The three languages that a query can be written in. */

export const DIALECTS = ['postgres', 'mysql', 'sqlite'] as const
export type Dialect = (typeof DIALECTS)[number]
