/** Declarations of source code. */

export { createSymbols } from './parsing-thread.ts'
