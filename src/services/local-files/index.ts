export { createLocalFiles } from './local-files.ts'
export type { OpenLocalFiles } from './local-files.ts'
export { createUndo } from './undo.ts'
