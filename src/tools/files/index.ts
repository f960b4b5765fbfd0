import type { Family } from '../../kernel/resource.ts'
import { copyFile } from './copy-file.ts'
import { deleteFile } from './delete-file.ts'
import { editFile } from './edit-file.ts'
import { findFiles } from './find-files.ts'
import { listFiles } from './list-files.ts'
import { moveFile } from './move-file.ts'
import { searchFiles } from './search-files.ts'
import { writeFile } from './write-file.ts'

/** Files of the person at this machine, by the path policy; every change can be undone. */
export const files: Family = {
  name: 'files',
  tools: [copyFile, deleteFile, editFile, findFiles, listFiles, moveFile, searchFiles, writeFile],
  resources: [],
  prompts: [],
}
