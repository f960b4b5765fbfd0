/** Rust: `mod` files, and `use` paths from the crate, from here, and into other crates of the tree. */

import type { ImportLanguage } from './language.ts'
import { SLASHES } from './lexed.ts'
import { configs, external, folderOf, foldersUp, joined, type Link, nameOf, toFile, unresolved } from './project.ts'

const MOD = /^[ \t]*(?:pub(?:\([^)\n]{0,100}\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/gm
const USE = /^[ \t]*(?:pub(?:\([^)\n]{0,100}\))?[ \t]+)?use[ \t]+([^;]{1,2000});/gm
const CRATE = /^[ \t]*extern[ \t]+crate[ \t]+(\w+)/gm

/** `a::{b, c::d}` as its paths. @returns at most a few hundred. */
function pathsIn(tree: string): readonly (readonly string[])[] {
  const [found, stack]: [string[][], string[][]] = [[], []]
  let names: string[] = []
  let isOpen = true
  for (const [token] of tree.matchAll(/[{},]|\bas\s+\w+|[\w*]+/g)) {
    if (token === '{') {
      stack.push(names)
      names = [...names]
    } else if (token === ',' || token === '}') {
      if (isOpen && found.length < 300) found.push(names)
      names = [...((token === '}' ? stack.pop() : stack.at(-1)) ?? [])]
      isOpen = token === ','
      continue
    } else if (!/^as\s/.test(token)) names.push(token)
    isOpen = true
  }
  if (isOpen && stack.length === 0) found.push(names)
  return found.filter((path) => path.length > 0)
}

export const rust: ImportLanguage = {
  extensions: ['rs'],
  style: { ...SLASHES, quotes: ['"', "'"], charQuote: true },
  async open(project, _places) {
    const { files } = project
    const [crates, roots] = [new Map<string, string>(), new Set<string>()]
    for (const [folder, text] of await configs(project, (name) => name === 'Cargo.toml')) {
      roots.add(folder)
      const name = /^\[package\][^[]*?^name\s*=\s*"([\w-]+)"/ms.exec(text)?.[1]
      if (name !== undefined) crates.set(name.replaceAll('-', '_'), folder)
    }
    const sourceOf = (root: string): string => joined(root, 'src') ?? ''
    const crateOf = (from: string): string => {
      for (const folder of foldersUp(folderOf(from))) if (roots.has(folder)) return sourceOf(folder)
      return folderOf(from)
    }
    const moduleFile = (folder: string, name: string): string | undefined => [`${name}.rs`, `${name}/mod.rs`].map((one) => joined(folder, one)).find((one) => one !== undefined && files.has(one))
    const rootFile = (source: string): string | undefined => ['lib.rs', 'main.rs', 'mod.rs'].map((one) => joined(source, one)).find((one) => one !== undefined && files.has(one))
    /** The deepest file on the way; the rest are names in it. */
    const follow = (folder: string, names: readonly string[], start: string | undefined): string | undefined => {
      let [at, file] = [folder, start]
      for (const name of names) {
        const next = moduleFile(at, name)
        if (next === undefined) break
        file = next
        at = joined(at, name) ?? ''
      }
      return file
    }
    const linkOf = (from: string, path: readonly string[]): Link => {
      const written = path.join('::')
      const [first = '', ...rest] = path
      if (first === 'crate') return found(follow(crateOf(from), rest, rootFile(crateOf(from))), written)
      let folder = childFolder(from)
      if (first === 'self') return found(follow(folder, rest, from), written)
      if (first === 'super') {
        let names: readonly string[] = path
        while (names[0] === 'super') {
          names = names.slice(1)
          folder = folderOf(folder)
        }
        return found(follow(folder, names, rootFile(folder) ?? moduleFile(folderOf(folder), nameOf(folder))), written)
      }
      const crate = crates.get(first)
      if (crate !== undefined) return found(follow(sourceOf(crate), rest, rootFile(sourceOf(crate))), written)
      const own = moduleFile(folder, first) ?? moduleFile(crateOf(from), first)
      return own === undefined ? external(first) : toFile(follow(folder, path, own) ?? own)
    }
    return (path, { code }) => [
      ...[...code.matchAll(MOD)].map(([, name = '']) => found(moduleFile(childFolder(path), name), name)),
      ...[...code.matchAll(CRATE)].map(([, name = '']) => linkOf(path, [name])),
      ...[...code.matchAll(USE)].flatMap(([, tree = '']) => pathsIn(tree).map((names) => linkOf(path, names))),
    ].filter(({ target }) => target !== path)
  },
}

const found = (file: string | undefined, written: string): Link => (file === undefined ? unresolved(written) : toFile(file))

/** Where the modules of a file lie: beside a root, below any other. */
const childFolder = (path: string): string => (/(?:^|\/)(?:lib|main|mod|build)\.rs$/.test(path) ? folderOf(path) : path.replace(/\.rs$/, ''))
