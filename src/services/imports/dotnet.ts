/** C#: a namespace is the folders of the files that declare it. Swift: a module is another target, and external. */

import type { ImportLanguage } from './language.ts'
import { lex, SLASHES } from './lexed.ts'
import { external, folderOf, type Link, type Project, toFile } from './project.ts'

const USING = /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]+)(?:<[^;\n]{0,500})?[ \t]*;/gm
const NAMESPACE = /^[ \t]*namespace[ \t]+([\w.]+)/gm
const STYLE = { ...SLASHES, quotes: ['"', "'"], charQuote: true }
/** Files that are read for the namespaces that they declare. */
const MAX_READ = 3_000

export const csharp: ImportLanguage = {
  extensions: ['cs'],
  style: STYLE,
  async open(project) {
    const folders = await namespaces(project)
    return (path, { code }) => [...code.matchAll(USING)].flatMap(([, name = '']) => linksTo(folders, name)).filter(({ target }) => target !== `${folderOf(path)}/`)
  },
}

async function namespaces({ files, text }: Project): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>()
  for (const path of [...files].filter((one) => one.endsWith('.cs')).slice(0, MAX_READ)) {
    const content = await text(path)
    if (content === undefined) continue
    for (const [, name = ''] of lex(content, STYLE).code.matchAll(NAMESPACE)) {
      const known = found.get(name)
      if (known) known.add(folderOf(path))
      else found.set(name, new Set([folderOf(path)]))
    }
  }
  return found
}

/** What is used may be a type in a namespace. */
function linksTo(folders: ReadonlyMap<string, ReadonlySet<string>>, name: string): readonly Link[] {
  const known = folders.get(name) ?? folders.get(name.slice(0, Math.max(0, name.lastIndexOf('.'))))
  return known === undefined ? [external(name)] : [...known].map((folder) => toFile(`${folder}/`))
}

const MODULE = /^[ \t]*(?:@\w+[ \t]+)*import[ \t]+(?:(?:class|struct|enum|func|protocol|var|let|typealias)[ \t]+)?(\w+)/gm

export const swift: ImportLanguage = {
  extensions: ['swift'],
  style: { ...SLASHES, quotes: ['"""', '"'] },
  async open(_project, { hasFolder }) {
    return (_path, { code }) => [...code.matchAll(MODULE)].map(([, name = '']) => (hasFolder(`Sources/${name}`) ? toFile(`Sources/${name}/`) : external(name)))
  },
}
