/** `paths` and `baseUrl` of tsconfig.json and jsconfig.json, each for the files nearest to it. */

import { type Fields, fieldsOf, parseLooseJson, textIn, textsIn } from './json-text.ts'
import { configs, folderOf, foldersUp, joined, nameOf, type Project } from './project.ts'

interface PathMap {
  /** Undefined where bare names are not looked for in a folder. */
  readonly baseUrl: string | undefined
  readonly paths: readonly { readonly before: string; readonly after: string; readonly isPattern: boolean; readonly targets: readonly string[] }[]
}

const MAX_EXTENDS = 8

/** Places, without endings, that a bare specifier may stand for. */
export async function createPathMaps(project: Project): Promise<(folder: string, specifier: string) => readonly string[]> {
  const maps = new Map<string, PathMap>()
  const texts = await configs(project, (name) => name === 'tsconfig.json' || name === 'jsconfig.json')
  for (const [folder, text] of texts) maps.set(folder, await mapOf(project, folder, parseLooseJson(text)))
  return (folder, specifier) => {
    for (const at of foldersUp(folder)) {
      const map = maps.get(at)
      if (map) return candidates(map, specifier)
    }
    return []
  }
}

/** What an extended file says counts where the nearer one is silent. */
async function mapOf(project: Project, folder: string, config: Fields, depth = 0): Promise<PathMap> {
  const own = fieldsOf(config['compilerOptions'])
  const baseUrl = textIn(own['baseUrl'])
  const base = baseUrl === undefined ? undefined : joined(folder, baseUrl)
  const paths = 'paths' in own ? Object.entries(fieldsOf(own['paths'])).map(([pattern, targets]) => pathOf(pattern, textsIn(targets), base ?? folder)) : undefined
  const above = depth < MAX_EXTENDS ? await inherited(project, folder, config, depth) : undefined
  return { baseUrl: base ?? above?.baseUrl, paths: paths ?? above?.paths ?? [] }
}

async function inherited(project: Project, folder: string, config: Fields, depth: number): Promise<PathMap | undefined> {
  const said = config['extends']
  const written = textIn(said) ?? textsIn(said).at(-1)
  if (written === undefined || !written.startsWith('.')) return undefined
  const path = joined(folder, written)
  const file = [path, `${path}.json`].find((one) => one !== undefined && project.files.has(one))
  const text = file === undefined ? undefined : await project.text(file)
  return file === undefined || text === undefined ? undefined : mapOf(project, folderOf(file), parseLooseJson(text), depth + 1)
}

function pathOf(pattern: string, targets: readonly string[], base: string): PathMap['paths'][number] {
  const star = pattern.indexOf('*')
  const [before, after] = star < 0 ? [pattern, ''] : [pattern.slice(0, star), pattern.slice(star + 1)]
  return { before, after, isPattern: star >= 0, targets: targets.map((target) => joined(base, target)).filter((target) => target !== undefined) }
}

/** The pattern with the longest start is the one that counts, as for the compiler. */
function candidates({ baseUrl, paths }: PathMap, specifier: string): readonly string[] {
  const fitting = paths
    .filter(({ before, after, isPattern }) => (isPattern ? specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after) : specifier === before))
    .sort((a, b) => Number(a.isPattern) - Number(b.isPattern) || b.before.length - a.before.length)
  const [best] = fitting
  const middle = best?.isPattern ? specifier.slice(best.before.length, specifier.length - best.after.length) : ''
  const found = (best?.targets ?? []).map((target) => joined('', target.replace('*', () => middle)))
  if (baseUrl !== undefined) found.push(joined(baseUrl, specifier))
  return found.filter((path) => path !== undefined && nameOf(path) !== '') as readonly string[]
}
