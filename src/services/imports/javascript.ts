/** TypeScript and JavaScript: relative files, tsconfig paths, package imports and exports within the tree. */

import type { ImportLanguage } from './language.ts'
import { SLASHES, stringsOf } from './lexed.ts'
import { createPackages } from './packages.ts'
import { external, folderOf, joined, type Link, type Project, toFile, unresolved } from './project.ts'
import { createPathMaps } from './tsconfig.ts'

/** As a compiler tries them. */
const ENDINGS = ['', '.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '/index.ts', '/index.tsx', '/index.d.ts', '/index.mts', '/index.js', '/index.jsx', '/index.mjs', '/index.cjs']
/** What is written as the output of a file that is in the tree as its source. */
const SOURCES: readonly (readonly [RegExp, readonly string[]])[] = [[/\.jsx?$/, ['.ts', '.tsx', '.d.ts']], [/\.mjs$/, ['.mts', '.d.mts']], [/\.cjs$/, ['.cts', '.d.cts']]]

const IMPORT = /(?:^|[^\w$.])(?:from|import|(?:import|require|require\.resolve)\s*\(|import\s+[\w$]+\s*=\s*require\s*\()\s*$/

/** The file that a path without an ending, or with another one, stands for. */
export const scriptAt = (files: ReadonlySet<string>) => (path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  for (const ending of ENDINGS) if (files.has(path + ending)) return path + ending
  for (const [output, sources] of SOURCES) if (output.test(path)) for (const source of sources) if (files.has(path.replace(output, source))) return path.replace(output, source)
  return undefined
}

export const javascript: ImportLanguage = {
  extensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
  style: SLASHES,
  async open(project) {
    const resolve = await resolver(project)
    return (path, source) => [...stringsOf(source)].filter(({ before, text }) => text !== '' && IMPORT.test(before)).map(({ text }) => resolve(path, text))
  },
}

async function resolver(project: Project): Promise<(from: string, written: string) => Link> {
  const find = scriptAt(project.files)
  const [mapped, packages] = [await createPathMaps(project), await createPackages(project, find)]
  return (from, written) => {
    const specifier = written.replace(/[?#].*$/s, (rest, at) => (at === 0 ? rest : ''))
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) {
      const found = find(joined(folderOf(from), specifier))
      return found === undefined ? unresolved(written) : toFile(found)
    }
    if (specifier.startsWith('/')) return unresolved(written)
    if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) return /^file:/i.test(specifier) ? unresolved(written) : external(written)
    const here = folderOf(from)
    for (const candidate of mapped(here, specifier)) {
      const found = find(candidate)
      if (found !== undefined) return toFile(found)
    }
    if (specifier.startsWith('#')) {
      const found = packages.imported(here, specifier)
      return found === undefined ? unresolved(written) : toFile(found)
    }
    const found = packages.exported(specifier)
    return found === undefined ? external(written) : toFile(found)
  }
}
