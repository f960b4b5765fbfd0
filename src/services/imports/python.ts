/** Python: packages and modules below the folders that they can be imported from. */

import type { ImportLanguage } from './language.ts'
import { HASHES } from './lexed.ts'
import { external, folderOf, foldersUp, isSuffix, joined, type Link, nearest, type Places, toFile, unresolved } from './project.ts'

const IMPORT = /^[ \t]*import[ \t]+([^\n;]{1,2000})/gm
// Each run of blanks and of dots is taken whole: parts of it tried one by one cost the third power of its length.
const FROM = /^[ \t]*from[ \t]+(?![ \t])(\.*)(?!\.)(?:[ \t]*([\w.]+))?[ \t]+(?![ \t])import[ \t]*(\([^)]{0,10000}\)?|[^\n;]{1,2000})/gm
/** Lines that go on after a backslash are one. */
const CONTINUED = /\\\r?\n/g

export const python: ImportLanguage = {
  extensions: ['py', 'pyi', 'pyw'],
  style: HASHES,
  async open({ files }, places) {
    const find = finder(files, places)
    return (path, { code }) => {
      const text = code.replace(CONTINUED, ' ')
      return [
        ...[...text.matchAll(IMPORT)].flatMap(([, names = '']) => namesIn(names).map((name) => find.absolute(path, name))),
        ...[...text.matchAll(FROM)].flatMap(([, dots = '', name = '', names = '']) => fromLinks(find, path, dots, name, namesIn(names.replace(/[()]/g, ' ')))),
      ]
    }
  },
}

const namesIn = (list: string): readonly string[] => list.split(',').map((one) => /^\s*([\w.]+|\*)/.exec(one)?.[1]).filter((one) => one !== undefined)

interface Finder {
  absolute(from: string, name: string): Link
  /** A module in a folder, by its names. */
  below(folder: string, names: readonly string[]): string | undefined
}

/** What is imported from a package may be a module of it. */
function fromLinks(find: Finder, path: string, dots: string, name: string, imported: readonly string[]): readonly Link[] {
  const names = name === '' ? [] : name.split('.')
  if (dots === '') {
    const whole = find.absolute(path, name)
    if (whole.status !== 'file' || !isInit(whole.target)) return [whole]
    return modules(find, folderOf(whole.target), imported, whole)
  }
  const folder = joined(folderOf(path), '../'.repeat(dots.length - 1))
  const written = `${dots}${name}`
  if (folder === undefined) return [unresolved(written)]
  const target = find.below(folder, names)
  const found = target === undefined ? undefined : toFile(target)
  if (found && !isInit(found.target)) return [found]
  const inner = joined(folder, names.join('/'))
  const more = inner === undefined ? [] : modules(find, inner, imported, found)
  return more.length > 0 ? more : [unresolved(written)]
}

const isInit = (path: string): boolean => /(?:^|\/)__init__\.pyi?$/.test(path)

function modules(find: Finder, folder: string, imported: readonly string[], whole: Link | undefined): readonly Link[] {
  const found = imported.map((name) => find.below(folder, [name])).filter((path) => path !== undefined).map(toFile)
  const isAllModules = found.length === imported.length
  return isAllModules || whole === undefined ? found : [whole, ...found]
}

function finder(files: ReadonlySet<string>, { named, hasFolder }: Places): Finder {
  const below = (folder: string, names: readonly string[]): string | undefined => {
    const path = joined(folder, names.join('/')) ?? ''
    const candidates = path === '' ? ['__init__.py', '__init__.pyi'] : [`${path}/__init__.py`, `${path}.py`, `${path}/__init__.pyi`, `${path}.pyi`]
    return candidates.find((one) => files.has(one))
  }
  const absolute = (from: string, name: string): Link => {
    const names = name.split('.')
    const [first = ''] = names
    for (const folder of [...foldersUp(folderOf(from)), 'src', 'lib']) {
      const found = below(folder, names)
      if (found !== undefined) return toFile(found)
      if (below(folder, [first]) !== undefined) return unresolved(name)
    }
    const suffix = names.join('/')
    const elsewhere = [...named(`${names.at(-1)}.py`).filter((path) => isSuffix(`${suffix}.py`, path)), ...named('__init__.py').filter((path) => isSuffix(`${suffix}/__init__.py`, path))]
    // One name alone says too little to be looked for everywhere.
    const found = names.length > 1 ? nearest(elsewhere, from) : elsewhere.length === 1 && isInit(elsewhere[0] ?? '') ? elsewhere[0] : undefined
    if (found !== undefined) return toFile(found)
    return hasFolder(first) && names.length > 1 ? unresolved(name) : external(name)
  }
  return { absolute, below }
}
