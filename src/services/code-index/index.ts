/** Finds declarations by name and by what they are about, and keeps no text of them. */

export { createCodeIndex } from './create-code-index.ts'
export type { CodeIndexOptions } from './create-code-index.ts'
