/** A folder with a root for documents and a ledger beside it, made anew for each test. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createJailedCorpus, type JailedCorpusOptions } from './jailed-corpus.ts'

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export function corpusFolder() {
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-corpus-'))
  const root = join(base, 'documents')
  const ledgerFile = join(base, 'ledger.sqlite')
  mkdirSync(root)
  return {
    base,
    root,
    ledgerFile,
    open: (more: Partial<JailedCorpusOptions> = {}) =>
      createJailedCorpus({ root, ledgerFile, extensions: ['.md', '.txt'], maxDocumentBytes: 100_000, quotaBytes: 1_000_000, ...more }),
    /** Puts a file there by another hand. */
    put(path: string, text: string): string {
      const at = join(base, path)
      mkdirSync(dirname(at), { recursive: true })
      writeFileSync(at, text)
      return at
    },
    /** Every document by path, as the disk has it. */
    documents: (): ReadonlyMap<string, string> => new Map(
      readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md')).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
    ),
    drafts: (): readonly string[] => readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tmp')),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

export type CorpusFolder = ReturnType<typeof corpusFolder>

export const sizeOfAll = (documents: ReadonlyMap<string, string>): number =>
  [...documents.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
