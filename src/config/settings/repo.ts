/** The source tree that the code tools read. */

import { bytes, count, list } from '../kinds.ts'
import { section, setting } from '../setting.ts'
import { extension, folderName, path } from '../text-kinds.ts'

const SOURCE_EXTENSIONS = [
  '.c',
  '.cpp',
  '.cs',
  '.go',
  '.h',
  '.hpp',
  '.java',
  '.js',
  '.json',
  '.jsx',
  '.kt',
  '.md',
  '.php',
  '.py',
  '.pyi',
  '.rb',
  '.rs',
  '.scala',
  '.sh',
  '.sql',
  '.swift',
  '.toml',
  '.ts',
  '.tsx',
  '.txt',
  '.yaml',
  '.yml',
]

const EXCLUDED_FOLDERS = ['.git', '.hg', '.svn', '.venv', 'node_modules', '__pycache__', 'dist', 'build', 'target']

export const repo = section('Repository', {
  REPO_ROOT: setting(path(), {
    default: 'repo',
    says: 'The source tree the code tools read and never write; a relative path starts at the working directory.',
  }),
  REPO_MAX_FILE_BYTES: setting(bytes(1_000_000_000), {
    default: 500_000,
    says: 'Largest source file that is read; larger ones are refused or skipped.',
  }),
  REPO_ALLOWED_EXTENSIONS: setting(list(extension()), {
    default: SOURCE_EXTENSIONS,
    says: 'File name extensions the code tools see; unset takes the default, and an empty list leaves nothing to see.',
  }),
  REPO_EXCLUDED_DIRS: setting(list(folderName()), {
    default: EXCLUDED_FOLDERS,
    risk: 'A folder taken off the list can show version-control internals and dependencies to every caller who may read code.',
    says: 'Names of folders that are never entered; unset takes the default, and an empty list excludes none.',
  }),
  REPO_SEARCH_MAX_FILES: setting(count(10_000_000), { default: 5000, says: 'Most files one code search opens.' }),
  SYMBOL_MAP_MAX_FILES: setting(count(1_000_000), { default: 500, says: 'Most files one symbol map covers.' }),
  SYMBOL_MAP_MAX_SYMBOLS: setting(count(1_000_000), { default: 5000, says: 'Most symbols one symbol map lists.' }),
  DEPENDENCY_GRAPH_MAX_FILES: setting(count(1_000_000), {
    default: 500,
    says: 'Most files one dependency graph covers.',
  }),
})
