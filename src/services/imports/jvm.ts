/** Java, Kotlin and Scala: classes by the folders that their packages name. */

import type { ImportLanguage } from './language.ts'
import { SLASHES } from './lexed.ts'
import { external, isSuffix, type Link, nearest, type Places, toFile } from './project.ts'

const IMPORT = /^[ \t]*import[ \t]+(?:static[ \t]+)?(\w+(?:\.\w+)*(?:\.[*_])?(?:\.\{[^}\n]{1,1000}\})?)((?:[ \t]*,[ \t]*\w+(?:\.\w+)*(?:\.[*_])?(?:\.\{[^}\n]{1,1000}\})?)*)/gm
const NEXT = /\w+(?:\.\w+)*(?:\.[*_])?(?:\.\{[^}\n]{1,1000}\})?/g
const ENDINGS = ['.java', '.kt', '.scala']

export const jvm: ImportLanguage = {
  extensions: ['java', 'kt', 'kts', 'scala', 'sc'],
  style: { ...SLASHES, quotes: ['"""', '"', "'"], charQuote: true },
  async open(_project, places) {
    return (path, { code }) => [...code.matchAll(IMPORT)].flatMap(([, written = '', more = '']) => [written, ...(more.match(NEXT) ?? [])].flatMap(selected)).map((name) => linkTo(places, path, name))
  },
}

/** Scala's braces, taken apart. */
function selected(written: string): readonly string[] {
  const [, before = written, names] = /^([\w.]+)\.\{(.*)\}$/.exec(written) ?? []
  return names === undefined ? [written] : names.split(',').map((name) => `${before}.${/\w+|\*/.exec(name)?.[0] ?? '*'}`)
}

function linkTo(places: Places, from: string, written: string): Link {
  const names = written.replace(/\.[*_]$/, '').split('.')
  // A class may be followed by what is in it.
  for (let length = names.length; length > 1 && length >= names.length - 2; length -= 1) {
    const path = names.slice(0, length).join('/')
    const files = ENDINGS.flatMap((ending) => places.named(`${names[length - 1]}${ending}`).filter((one) => isSuffix(path + ending, one)))
    const file = nearest(files, from)
    if (file !== undefined) return toFile(file)
  }
  // A package, or something in a file of another name, as Kotlin and Scala allow.
  for (const length of [names.length, names.length - 1, names.length - 2]) {
    const folder = length > 1 ? nearest(places.foldersLike(names.slice(0, length).join('/')), from) : undefined
    if (folder !== undefined) return toFile(`${folder}/`)
  }
  return external(written)
}
