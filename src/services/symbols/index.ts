/** Declarations of source code. */

export { createSymbols } from './parsing-thread.ts'
export { LANGUAGE_EXTENSIONS } from './languages.ts'
