/** Documents and repository files as one: read, made fit to be shown, searched. */

export { createSources } from './create-sources.ts'
export { createFullText } from './full-text.ts'
export type { SourceStore } from './full-text.ts'
export type { PreparePorts } from './prepare.ts'
