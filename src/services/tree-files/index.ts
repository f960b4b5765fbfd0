/** The files of a workspace, for an assistant. */

export { createTreeFiles } from './create-tree-files.ts'
