/** Tells a broken index file from every other failure: a broken one is thrown away and built anew. */

/** The index file does not hold what this code writes. */
export class CorruptIndex extends Error {
  override readonly name = 'CorruptIndex'
}

const BROKEN = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_FORMAT', 'SQLITE_MISMATCH']

export const isCorrupt = (error: unknown): boolean => {
  if (error instanceof CorruptIndex) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return BROKEN.some((broken) => code.startsWith(broken))
}
