/** C and C++: included files, beside the file, below the usual folders, or by the end of their path. */

import type { ImportLanguage } from './language.ts'
import { SLASHES, stringsOf } from './lexed.ts'
import { external, folderOf, foldersUp, isSuffix, joined, nameOf, nearest, type Places, toFile, unresolved } from './project.ts'

const BRACKETS = /^[ \t]*#[ \t]*(?:include|import)[ \t]*<([^>\n]{1,500})>/gm
const QUOTED = /#[ \t]*(?:include|import)[ \t]*$/
const FOLDERS = ['', 'include', 'src', 'lib']

export const c: ImportLanguage = {
  extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx', 'inl', 'ipp', 'm', 'mm'],
  style: { ...SLASHES, quotes: ['"', "'"], charQuote: true },
  async open({ files }, places) {
    return (path, source) => [
      ...[...stringsOf(source)].filter(({ before }) => QUOTED.test(before)).map(({ text }) => {
        const found = fileAt(files, places, path, text)
        return found === undefined ? unresolved(text) : toFile(found)
      }),
      ...[...source.code.matchAll(BRACKETS)].map(([, text = '']) => {
        const found = text.includes('/') || places.named(text).some((one) => /(?:^|\/)include\//.test(one)) ? fileAt(files, places, path, text) : undefined
        return found === undefined ? external(text) : toFile(found)
      }),
    ]
  },
}

function fileAt(files: ReadonlySet<string>, places: Places, from: string, written: string): string | undefined {
  if (written.startsWith('/')) return undefined
  for (const above of foldersUp(folderOf(from))) {
    for (const folder of FOLDERS) {
      const path = joined(above, folder === '' ? written : `${folder}/${written}`)
      if (path !== undefined && files.has(path)) return path
    }
  }
  const plain = joined('', written)
  return plain === undefined ? undefined : nearest(places.named(nameOf(plain)).filter((path) => isSuffix(plain, path)), from)
}
