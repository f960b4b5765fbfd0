/** Packages of the tree by name, with their `exports`, `imports` and main files (nodejs.org/api/packages.html). */

import { fieldsOf, type Fields, parseLooseJson, textIn } from './json-text.ts'
import { configs, foldersUp, joined, type Project } from './project.ts'

export interface Packages {
  /** The file that a bare specifier leads to, when its package is in the tree. */
  exported(specifier: string): string | undefined
  /** The file behind a specifier with a hash, by the nearest package. */
  imported(folder: string, specifier: string): string | undefined
}

type Find = (path: string | undefined) => string | undefined

/** Those of types first: the sources are what is looked for. */
const CONDITIONS = ['source', 'types', 'import', 'module', 'node', 'require', 'default']
const MAX_DEPTH = 10

export async function createPackages(project: Project, find: Find): Promise<Packages> {
  const [byName, byFolder] = [new Map<string, string>(), new Map<string, Fields>()]
  for (const [folder, text] of await configs(project, (name) => name === 'package.json')) {
    const said = parseLooseJson(text)
    byFolder.set(folder, said)
    const name = textIn(said['name'])
    if (name !== undefined && !byName.has(name)) byName.set(name, folder)
  }
  return {
    exported(specifier) {
      const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
      const folder = byName.get(name)
      const said = folder === undefined ? undefined : byFolder.get(folder)
      if (folder === undefined || said === undefined) return undefined
      const written = `.${specifier.slice(name.length)}`
      const found = said['exports'] === undefined ? undefined : targetOf(exportsOf(said['exports']), written)
      const legacy = said['exports'] === undefined ? (written === '.' ? mainOf(said) : written) : undefined
      return fileOf(find, folder, found ?? legacy) ?? find(joined(folder, 'package.json'))
    },
    imported(folder, specifier) {
      for (const at of foldersUp(folder)) {
        const said = byFolder.get(at)
        if (said) return fileOf(find, at, targetOf(fieldsOf(said['imports']), specifier))
      }
      return undefined
    },
  }
}

const mainOf = (said: Fields): string => textIn(said['source']) ?? textIn(said['types']) ?? textIn(said['module']) ?? textIn(said['main']) ?? './index'

/** What is built is seldom in the tree; its source is. */
const fileOf = (find: Find, folder: string, target: string | undefined): string | undefined => {
  if (target === undefined) return undefined
  return find(joined(folder, target)) ?? find(joined(folder, target.replace(/^(\.\/)?(?:dist|lib|build|out)\//, '$1src/').replace(/\.d\.([mc]?)ts$/, '.$1js')))
}

/** Without subpaths it is all about the package itself. */
const exportsOf = (said: unknown): Fields => {
  const fields = fieldsOf(said)
  return Object.keys(fields).some((key) => key.startsWith('.')) ? fields : { '.': said }
}

function targetOf(entries: Fields, written: string): string | undefined {
  if (Object.hasOwn(entries, written)) return conditionOf(entries[written])
  const patterns = Object.keys(entries).filter((key) => key.includes('*')).sort((a, b) => b.indexOf('*') - a.indexOf('*'))
  for (const pattern of patterns) {
    const [before = '', after = ''] = pattern.split('*')
    if (written.length < before.length + after.length || !written.startsWith(before) || !written.endsWith(after)) continue
    return conditionOf(entries[pattern])?.replaceAll('*', () => written.slice(before.length, written.length - after.length))
  }
  return undefined
}

function conditionOf(said: unknown, depth = 0): string | undefined {
  if (typeof said === 'string') return said
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(said)) return said.map((one) => conditionOf(one, depth + 1)).find((one) => one !== undefined)
  const fields = fieldsOf(said)
  for (const condition of CONDITIONS) {
    const found = Object.hasOwn(fields, condition) ? conditionOf(fields[condition], depth + 1) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
