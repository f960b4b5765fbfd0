/** Go: a package is a folder of the module whose go.mod is above it. */

import type { ImportLanguage } from './language.ts'
import { SLASHES } from './lexed.ts'
import { configs, external, folderOf, joined, type Link, toFile, unresolved } from './project.ts'

const SINGLE = /^import[ \t]+(?:[\w.]+[ \t]+)?\u0001(\d+)\u0001/gm
const BLOCK = /^import[ \t]*\(/gm
const PLACE = /\u0001(\d+)\u0001/g

export const go: ImportLanguage = {
  extensions: ['go'],
  style: { ...SLASHES, charQuote: true },
  async open(project, { hasFolder }) {
    const modules = [...await configs(project, (name) => name === 'go.mod')].map(([folder, text]) => ({ folder, path: /^module[ \t]+"?([^\s"]+)/m.exec(text)?.[1] ?? '' }))
      .filter(({ path }) => path !== '').sort((a, b) => b.path.length - a.path.length)
    const folders = new Set([...project.files].filter((path) => path.endsWith('.go')).map(folderOf))
    const linkTo = (from: string, written: string): Link => {
      if (written.startsWith('./') || written.startsWith('../')) return folderLink(joined(folderOf(from), written), written)
      const module = modules.find(({ path }) => written === path || written.startsWith(`${path}/`))
      return module ? folderLink(joined(module.folder, written.slice(module.path.length)), written) : external(written)
    }
    const folderLink = (folder: string | undefined, written: string): Link => (folder !== undefined && folders.has(folder) && hasFolder(folder) ? toFile(`${folder}/`) : unresolved(written))
    return (path, { code, strings }) => placesIn(code).map((place) => linkTo(path, strings[place] ?? '')).filter(({ target }) => target !== '' && target !== `${folderOf(path)}/`)
  },
}

/** Only before the first declaration, as the grammar has it. */
function placesIn(code: string): readonly number[] {
  const found = [...code.matchAll(SINGLE)].map(([, place]) => Number(place))
  let end = 0
  for (const { index } of code.matchAll(BLOCK)) {
    // One that begins inside of another is none.
    if (index < end) continue
    end = code.indexOf(')', index)
    if (end < 0) break
    for (const [, place] of code.slice(index, end).matchAll(PLACE)) found.push(Number(place))
  }
  return found
}
