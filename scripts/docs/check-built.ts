/** What must hold of the built site without a browser: links lead somewhere, and nothing is fetched from elsewhere. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

const REFERENCE = /\s(?:href|src)="([^"]*)"/g
/** What a browser fetches by itself, unlike a link that a reader follows. */
const FETCHED = /<(?:script|img|iframe|source|link(?![^>]*rel="(?:canonical|alternate)"))[^>]*\s(?:src|href)="(https?:)?\/\//

export interface Built {
  readonly pages: number
  readonly problems: readonly string[]
}

export function checkBuilt(dist: string): Built {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')).filter((name) => name.endsWith('.html'))
  const texts = new Map(files.map((file) => [file, readFileSync(join(dist, file), 'utf8')]))
  const problems = files.flatMap((file) => problemsOf(dist, file, texts))
  return { pages: files.length, problems }
}

function problemsOf(dist: string, file: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const text = texts.get(file) ?? ''
  const found = [...text.matchAll(REFERENCE)].map(([, target]) => (target ?? '').replaceAll('&amp;', '&')).filter((target) => !/^[a-z]+:|^\/\//.test(target))
  const dead = found.filter((target) => !leads(dist, file, target, texts)).map((target) => `${file}: ${target} leads nowhere`)
  return [...new Set(dead), ...(FETCHED.test(text) ? [`${file}: fetches from elsewhere`] : [])]
}

function leads(dist: string, file: string, target: string, texts: ReadonlyMap<string, string>): boolean {
  const [path = '', hash] = target.split('#')
  const plain = decodeURI(path).split('?')[0] ?? ''
  const to = plain === '' ? file : (plain.startsWith('/') ? plain.slice(1) : posix.join(posix.dirname(file), plain))
  const page = [to, `${to}.html`, posix.join(to, 'index.html')].find((name) => name !== '' && existsSync(join(dist, name)) && statSync(join(dist, name)).isFile())
  if (page === undefined) return false
  if (hash === undefined || hash === '' || !page.endsWith('.html')) return true
  return new RegExp(`\\sid="${decodeURIComponent(hash).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}"`).test(texts.get(page) ?? '')
}
