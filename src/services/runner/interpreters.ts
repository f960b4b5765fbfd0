/** How the interpreter of a language is called: alone with the file, without what a user or site set up. */

import { findProgram } from '../../exits/process/find-program.ts'
import type { Language } from '../../kernel/ports/runner.ts'

/** Without the user's and the site's own code, in UTF-8, leaving no files behind. */
const PYTHON = ['-I', '-B', '-X', 'utf8'] as const

/** The arguments that run a file. `program` is a name or a path, as whoever starts it needs it. */
export const callOf = (language: Language, program: string, file: string): readonly string[] => [program, ...(language === 'python' ? PYTHON : []), file]

/** The interpreter on this machine, by absolute path. */
export const interpreterOf = (language: Language): string | undefined => (language === 'python' ? findProgram('python3') : process.execPath)

/** Reservations of address space that JavaScript engines make without using them. */
const RESERVED_BYTES = 16_000_000_000

/** Address space that a run needs for `memoryBytes` of memory. Python can be held to it; what starts other runtimes cannot. */
export const addressBytes = (memoryBytes: number, language?: Language): number => (language === 'python' ? memoryBytes : memoryBytes + RESERVED_BYTES)
