/**
 * How tools are listed, worked out when the binary is built, which puts them here: describing every schema is a good
 * part of a start. From the sources there are none. `test/package/package.slow.test.ts` holds the two to the same text.
 */

type Listed = Readonly<Record<string, unknown>>

/** The listing of a tool of the catalogue, where it was worked out. */
export const compiledListing = (_name: string): Listed | undefined => undefined
