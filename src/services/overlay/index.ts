/** Changes of a dry run, aside of the workspace. */

export { createOverlay } from './create-overlay.ts'
export type { OpenOverlay } from './create-overlay.ts'
