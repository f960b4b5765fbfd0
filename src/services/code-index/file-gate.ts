/** Decides which files a search may know of. Files that nobody admitted are not there. */

import type { Database } from '../../exits/disk/database.ts'
import type { CodeQuery } from '../../kernel/ports/code-index.ts'

const MAX_REMEMBERED = 200_000
/** The signal is looked at once in so many questions. */
const QUESTIONS_PER_CHECK = 1_024

export interface FileGate {
  /** Whether everything is allowed, so that there is nothing to ask. */
  readonly open: boolean
  /** Asks for the files that were not asked for yet. @throws what `may` or the signal throws. */
  admit(lists: readonly (readonly number[])[]): Promise<void>
  allows(file: number): boolean
  /** The last look at what is given out: another process may have put a new index in place of the one that was asked. */
  allowsAt(file: number, path: string): boolean
}

type Use = <T>(fn: (db: Database) => T) => T | undefined

const OPEN: FileGate = { open: true, admit: async () => undefined, allows: () => true, allowsAt: () => true }

/** In one database a number is never used for two files, so a path once known stays right. Another one counts from 1 again. */
const remembered = new WeakMap<Database, Map<number, string>>()

function pathsIn(db: Database, files: readonly number[]): ReadonlyMap<number, string> {
  const known = remembered.get(db) ?? new Map<number, string>()
  if (known.size + files.length > MAX_REMEMBERED) known.clear()
  const missing = files.filter((file) => !known.has(file))
  if (missing.length > 0) {
    const rows = db.all('SELECT id, path FROM file WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(missing))
    for (const row of rows) known.set(Number(row['id']), String(row['path']))
  }
  remembered.set(db, known)
  return known
}

const [UNASKED, DENIED, ALLOWED] = [0, 1, 2]

/** Verdicts by file number in a plain array: a search asks for thousands of files, and sets of them would cost more than the answers. */
function createVerdicts() {
  let verdicts = new Uint8Array(1_024)
  return {
    of: (file: number): number => verdicts[file] ?? UNASKED,
    /** Denies every file that was not asked for yet. @returns those files. */
    denyNew: (lists: readonly (readonly number[])[]): readonly number[] => {
      const found: number[] = []
      for (const files of lists) {
        for (const file of files) {
          if (file >= verdicts.length) {
            const larger = new Uint8Array(2 * file)
            larger.set(verdicts)
            verdicts = larger
          }
          if (verdicts[file] !== UNASKED) continue
          verdicts[file] = DENIED
          found.push(file)
        }
      }
      return found
    },
    allow: (file: number): void => {
      verdicts[file] = ALLOWED
    },
  }
}

/** The gate of one search. */
export function createFileGate(use: Use, { may, pathPrefix = '', signal }: CodeQuery): FileGate {
  if (may === undefined && pathPrefix === '') return OPEN
  const verdicts = createVerdicts()
  let paths: ReadonlyMap<number, string> | undefined
  const below = pathPrefix === '' || pathPrefix.endsWith('/') ? pathPrefix : `${pathPrefix}/`
  const isInside = (path: string): boolean => path === pathPrefix || path.startsWith(below)
  return {
    open: false,
    admit: async (lists) => {
      const unasked = verdicts.denyNew(lists)
      paths = use((db) => pathsIn(db, unasked)) ?? paths
      for (const [at, file] of unasked.entries()) {
        if (at % QUESTIONS_PER_CHECK === 0) signal?.throwIfAborted()
        const path = paths?.get(file)
        if (path === undefined || !isInside(path)) continue
        const answer = may === undefined || may(path)
        // A promise per file would cost more than all the rest of a search, so an answer at once is taken at once.
        if ((typeof answer === 'boolean' ? answer : await answer) === true) verdicts.allow(file)
      }
    },
    allows: (file) => verdicts.of(file) === ALLOWED,
    allowsAt: (file, path) => verdicts.of(file) === ALLOWED && paths?.get(file) === path,
  }
}
