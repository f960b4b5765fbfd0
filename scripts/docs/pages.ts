/** Which pages the site has: the repository's own documents, and those that are made from the code. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'

export interface Page {
  /** Below the site's root, with `.md`. */
  readonly path: string
  readonly text: string
}

/** Documents outside `docs/`, and where they stand in the site. */
const OUTSIDE: Readonly<Record<string, string>> = { 'README.md': 'index.md', 'CONTRIBUTING.md': 'contributing.md', 'CHANGELOG.md': 'changelog.md', 'SECURITY.md': 'security-policy.md' }
/** Taken apart into a page for each tool. */
const LEFT_OUT: ReadonlySet<string> = new Set(['docs/reference/tools.md'])
const REPLACED: Readonly<Record<string, string>> = { 'docs/reference/tools.md': 'reference/tools/index.md' }

/** The repository's documents as pages. @throws Error naming every link that leads nowhere. */
export function documentPages(root: string): readonly Page[] {
  const files = [...Object.keys(OUTSIDE), ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => posix.join('docs', name.replaceAll('\\', '/')))]
    .filter((file) => file.endsWith('.md') && !LEFT_OUT.has(file))
  const broken: string[] = []
  const pages = files.map((file) => ({ path: placeOf(file), text: linked({ root, file, broken }, readFileSync(join(root, file), 'utf8')) }))
  if (broken.length > 0) throw new Error(`links that lead nowhere:\n${broken.join('\n')}`)
  return pages
}

const placeOf = (file: string): string => {
  const place = OUTSIDE[file] ?? REPLACED[file] ?? file.replace(/^docs\//, '')
  return place.endsWith('README.md') ? place.replace('README.md', 'index.md') : place
}

interface Document {
  readonly root: string
  readonly file: string
  readonly broken: string[]
}

const LINK = /(?<!!)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g

/** Links between documents follow them; a link to source code becomes the name of the file. */
function linked({ root, file, broken }: Document, text: string): string {
  return outsideCode(text, (part) => part.replaceAll(LINK, (whole, label: string, target: string) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole
    const [path = '', hash] = target.split('#')
    const to = relative(root, resolve(root, dirname(file), path)).replaceAll('\\', '/')
    if (!isThere(join(root, to))) {
      broken.push(`${file}: ${target}`)
      return whole
    }
    if (!to.endsWith('.md')) return label
    const from = dirname(placeOf(file))
    const way = posix.relative(from === '.' ? '' : from, placeOf(to))
    return `[${label}](${way.startsWith('.') ? way : `./${way}`}${hash === undefined ? '' : `#${hash}`})`
  }))
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Applies to what stands outside fenced code. */
export const outsideCode = (text: string, change: (part: string) => string): string =>
  text.split(/(^```[\s\S]*?^```[ \t]*$)/m).map((part) => (part.startsWith('```') ? part : change(part))).join('')

export const titleOf = ({ text, path }: Page): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path

/** The first paragraph, on one line. */
export const summaryOf = ({ text }: Page): string =>
  (text.replace(/<!--[\s\S]*?-->/g, '').split(/\n{2,}/).find((block) => /^[\p{L}`[*]/u.test(block.trim())) ?? '').replaceAll('\n', ' ').replaceAll(LINK, '$1').trim()
