/** Types of `workers.mjs` for the programs written in TypeScript. */
export function workerEntries(): Record<string, string>
export const PACKAGES_APART: string[]
export function writeGrammars(folder: string): void
export const CACHE: string
export function workerPlugin(): { readonly name: string; transform(code: string, id: string): Promise<string | undefined> }
