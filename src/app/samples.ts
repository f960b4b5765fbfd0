/** Sample content for a first start, written where it disturbs nothing. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensurePrivateFolder } from '../exits/disk/private-folder.ts'

const SAMPLES: Readonly<Record<'sandbox' | 'documents', Readonly<Record<string, string>>>> = {
  sandbox: {
    'welcome.txt': `Welcome to Arrowhead.

This file lies in the folder that read_file serves. Put files beside it, or set ARROWHEAD_JAIL_ROOT to another folder.
`,
  },
  documents: {
    'welcome.md': `# Welcome

This is the corpus that doc_search, doc_read and doc_scan serve. Set ARROWHEAD_DOCS_ROOT to a folder of your own.
`,
    'notes/todo.md': `# To do

- [ ] Search for "deadline": it finds this line.
- [ ] Read this document, then write one with doc_write.
`,
  },
}

/** Writes one set of samples below the data directory; what is there already is kept. @returns the folder to serve. */
export function writeSamples(dataDir: string, set: keyof typeof SAMPLES): string {
  const folder = join(dataDir, 'samples', set)
  ensurePrivateFolder(folder)
  for (const [path, text] of Object.entries(SAMPLES[set])) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (!existsSync(file)) writeFileSync(file, text)
  }
  return folder
}
