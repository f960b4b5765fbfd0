/** The files that imports are resolved against, and the ways to look for one. */

export interface Project {
  readonly files: ReadonlySet<string>
  /** Undefined for what cannot be read. */
  text(path: string): Promise<string | undefined>
}

export interface Link {
  /** A file; a folder with its slash, for languages whose modules are folders; or the module as it is written. */
  readonly target: string
  readonly status: 'file' | 'external' | 'unresolved'
}

export const toFile = (target: string): Link => ({ target, status: 'file' })
export const external = (target: string): Link => ({ target, status: 'external' })
export const unresolved = (target: string): Link => ({ target, status: 'unresolved' })

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Names joined and dots taken out; undefined for what lies above the root. */
export function joined(folder: string, path: string): string | undefined {
  const names: string[] = folder === '' ? [] : folder.split('/')
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined
    } else if (name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

/** The folder itself, then those above it; the root is the last. */
export function* foldersUp(folder: string): Generator<string> {
  for (let at = folder; at !== ''; at = folderOf(at)) yield at
  yield ''
}

/** Configuration files read at most, the nearest to the root first. */
const MAX_CONFIGS = 500

/** Texts of the files of one name, by their folder. */
export async function configs({ files, text }: Project, isOne: (name: string) => boolean): Promise<ReadonlyMap<string, string>> {
  const paths = [...files].filter((path) => isOne(nameOf(path))).sort((a, b) => a.length - b.length).slice(0, MAX_CONFIGS)
  const found = new Map<string, string>()
  for (const path of paths) {
    const content = await text(path)
    if (content !== undefined && !found.has(folderOf(path))) found.set(folderOf(path), content)
  }
  return found
}

export interface Places {
  /** Files of this name. */
  named(name: string): readonly string[]
  /** Whether files lie in this folder or below it. */
  hasFolder(folder: string): boolean
  /** Folders whose path ends like this one. */
  foldersLike(folder: string): readonly string[]
}

/** The tree by names, made once. */
export function placesOf(files: ReadonlySet<string>): Places {
  const [byName, byFolderName, folders] = [new Map<string, string[]>(), new Map<string, string[]>(), new Set<string>()]
  const add = (map: Map<string, string[]>, key: string, path: string): void => {
    const known = map.get(key)
    if (known) known.push(path)
    else map.set(key, [path])
  }
  for (const path of files) {
    add(byName, nameOf(path), path)
    for (let at = folderOf(path); at !== '' && !folders.has(at); at = folderOf(at)) {
      folders.add(at)
      add(byFolderName, nameOf(at), at)
    }
  }
  return {
    named: (name) => byName.get(name) ?? [],
    hasFolder: (folder) => folder === '' || folders.has(folder),
    foldersLike: (folder) => (byFolderName.get(nameOf(folder)) ?? []).filter((one) => isSuffix(folder, one)),
  }
}

export const isSuffix = (suffix: string, path: string): boolean => path === suffix || path.endsWith(`/${suffix}`)

/** The one that shares most of its way with a file; of two, the first by name. */
export function nearest(paths: readonly string[], from: string): string | undefined {
  const shared = (path: string): number => {
    let at = 0
    while (at < path.length && path[at] === from[at]) at += 1
    return path.lastIndexOf('/', at)
  }
  return [...paths].sort((a, b) => shared(b) - shared(a) || (a < b ? -1 : 1))[0]
}
