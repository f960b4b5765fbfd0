/** Ruby and PHP: required files, and classes by the folders that composer.json maps their namespaces to. */

import type { ImportLanguage } from './language.ts'
import { fieldsOf, parseLooseJson, textIn, textsIn } from './json-text.ts'
import { HASHES, SLASHES, stringsOf } from './lexed.ts'
import { configs, external, folderOf, foldersUp, isSuffix, joined, type Link, nameOf, nearest, type Project, toFile, unresolved } from './project.ts'

const REQUIRE = /(?:^|[^\w.])(require|require_relative|load|autoload[ \t(]+:\w+,)[ \t(]*$/

export const ruby: ImportLanguage = {
  extensions: ['rb', 'rake', 'gemspec'],
  style: { ...HASHES, quotes: ['"', "'"] },
  async open({ files }, places) {
    const at = (path: string | undefined): string | undefined => [path, `${path}.rb`].find((one) => one !== undefined && files.has(one))
    const linkTo = (from: string, how: string, written: string): Link => {
      if (how === 'require_relative' || written.startsWith('.')) {
        const found = at(joined(folderOf(from), written))
        return found === undefined ? unresolved(written) : toFile(found)
      }
      for (const folder of foldersUp(folderOf(from))) {
        const found = at(joined(folder, `lib/${written}`)) ?? at(joined(folder, written))
        if (found !== undefined) return toFile(found)
      }
      const elsewhere = nearest(places.named(`${nameOf(written)}.rb`).filter((path) => isSuffix(`lib/${written}.rb`, path)), from)
      return elsewhere === undefined ? external(written) : toFile(elsewhere)
    }
    return (path, source) => [...stringsOf(source)].flatMap(({ text, before }) => {
      const how = REQUIRE.exec(before)?.[1]
      return how === undefined || text === '' || text.includes('#{') ? [] : [linkTo(path, how, text)]
    })
  },
}

const USE = /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([\w\\]+)(?:\{([^}]{1,4000})\})?/gm
const INCLUDE = /(?:^|[^\w$>])(?:require|include)(?:_once)?[ \t(]*(__DIR__[ \t]*\.[ \t]*|dirname\(__FILE__\)[ \t]*\.[ \t]*)?$/

export const php: ImportLanguage = {
  extensions: ['php', 'phtml'],
  style: { ...SLASHES, line: ['//', '#'], quotes: ['"', "'"] },
  async open(project, places) {
    const { files } = project
    const roots = await autoloaded(project)
    const classLink = (from: string, name: string): Link => {
      for (const { prefix, folder } of roots) {
        if (!`${name}\\`.startsWith(prefix)) continue
        const path = joined(folder, name.slice(prefix.length).replaceAll('\\', '/'))
        if (path !== undefined && files.has(`${path}.php`)) return toFile(`${path}.php`)
        if (path !== undefined && places.hasFolder(path)) return toFile(`${path}/`)
        return unresolved(name)
      }
      const suffix = name.split('\\').slice(-2).join('/')
      const found = name.includes('\\') ? nearest(places.named(`${nameOf(suffix)}.php`).filter((path) => isSuffix(`${suffix}.php`, path)), from) : undefined
      return found === undefined ? external(name) : toFile(found)
    }
    return (path, source) => [
      // A use within a class takes in a trait, by a short name.
      ...[...source.code.matchAll(USE)].flatMap(([, name = '', group]) => (group === undefined ? [name] : group.split(',').map((one) => name + (/[\w\\]+/.exec(one.replace(/^\s*(?:function|const)\s/, ''))?.[0] ?? '')))).filter((name) => name.includes('\\')).map((name) => classLink(path, name)),
      ...[...stringsOf(source)].filter(({ text, before }) => INCLUDE.test(before) && !text.includes('$')).map(({ text }) => {
        const found = [joined(folderOf(path), text), joined('', text)].find((one) => one !== undefined && files.has(one))
        return found === undefined ? unresolved(text) : toFile(found)
      }),
    ]
  },
}

interface Root {
  /** With its last backslash. */
  readonly prefix: string
  readonly folder: string
}

/** PSR-4 maps, the longest prefix first. */
async function autoloaded(project: Project): Promise<readonly Root[]> {
  const found: Root[] = []
  for (const [folder, text] of await configs(project, (name) => name === 'composer.json')) {
    const said = parseLooseJson(text)
    for (const key of ['autoload', 'autoload-dev']) {
      for (const [prefix, places] of Object.entries(fieldsOf(fieldsOf(said[key])['psr-4']))) {
        for (const place of textIn(places) === undefined ? textsIn(places) : [textIn(places) ?? '']) {
          const at = joined(folder, place)
          if (at !== undefined && prefix !== '') found.push({ prefix: prefix.replaceAll('\\\\', '\\'), folder: at })
        }
      }
    }
  }
  return found.sort((a, b) => b.prefix.length - a.prefix.length)
}
