/** A folder with an index in it, and small made-up sources to put there. */

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CodeHit, CodeIndex, CodeSource } from '../../kernel/ports/code-index.ts'
import { openDatabase } from '../../exits/disk/database.ts'
import { holdsCredentials } from '../../policy/credential-paths.ts'
import { createCodeIndex } from './index.ts'
import { simpleChunks } from './simple-chunks.fixture.ts'

export const NOW = 1_800_000_000_000

export interface IndexFolder {
  readonly file: string
  /** Opens an index on a file of the folder, `index.sqlite` unless named. */
  open(name?: string): CodeIndex
  remove(): void
}

export function indexFolder(): IndexFolder {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-code-index-'))
  const opened: CodeIndex[] = []
  return {
    file: join(folder, 'index.sqlite'),
    open: (name = 'index.sqlite') => {
      const index = createCodeIndex({ file: join(folder, name), clock: { now: () => NOW, ticks: () => 0 }, holdsCredentials })
      opened.push(index)
      return index
    },
    remove: () => {
      for (const index of opened) index.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A source with the chunks of the plain chunker. */
export const source = (path: string, text: string): CodeSource => ({
  path, contentHash: createHash('sha256').update(text).digest('hex'), chunks: () => simpleChunks(path, text),
})

export const sourcesOf = (texts: Readonly<Record<string, string>>): readonly CodeSource[] =>
  Object.entries(texts).map(([path, text]) => source(path, text))

/** `path:name` of each hit. */
export const namesOf = (hits: readonly CodeHit[]): readonly string[] => hits.map(({ path, name }) => `${path}:${name}`)

export const LIBRARY = {
  'src/paths.py': `
def make_directory(path):
    """Create a folder and every folder above it."""
    os.makedirs(path)

def removeTree(root):
    """Delete a folder with all that is in it."""
    shutil.rmtree(root)
`,
  'src/text.py': `
class TextParser:
    """Reads marked text."""

    def parse_json_line(self, line):
        """Decode one line of JSON into a dict."""
        return json.loads(line)

    def is_blank(self, s):
        return not s.strip()
`,
  'docs/guide.md': '# Guide\nHow a folder is made and a dictionary is read.\n',
} as const

/** Small Python files that differ in a number and a mark. */
export const many = (count: number, mark = ''): readonly CodeSource[] =>
  Array.from({ length: count }, (_, at) => source(`src/f${at}.py`, `def read_${at}${mark}():\n  """Reads number ${at}."""\n  return number_${at}\n`))

/** Everything that an index file says, with paths for numbers. */
export function storedIn(file: string): unknown {
  const db = openDatabase(file, { access: 'read' })
  const files = db.all('SELECT path, hash FROM file ORDER BY path')
  const chunks = db.all('SELECT path, name, container, kind, start_line FROM chunk JOIN file ON file.id = key / 65536 ORDER BY path, start_line, name')
  const terms = db.all('SELECT id / 1048576 AS term, sum(length(data)) AS bytes FROM posting GROUP BY term ORDER BY term')
  const words = db.all('SELECT word, n FROM word ORDER BY word')
  db.close()
  return { files, chunks, terms, words }
}
