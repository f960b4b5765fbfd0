/** Real source packages that the declarations are measured on, fetched once by the registries' own clients. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const NPM = ['rxjs@7.8.2', 'zod@4.6.7', 'date-fns@4.1.0', 'node-gyp@11.0.0', 'nan@2.22.0', 'react-native@0.79.0'] as const
export const DEBIAN = ['bash-completion', 'fmtlib', 'golang-github-spf13-cobra', 'googletest', 'jansson', 'keepass2', 'leveldb', 'libcommons-lang3-java', 'lua5.4', 'php-twig', 'rust-serde', 'tinyxml2', 'zlib'] as const

export const CACHE = resolve('node_modules/.cache/arrowhead/oracle')

/** @returns the folders of all packages that could be had, by package. */
export function fetchPackages(): ReadonlyMap<string, string> {
  mkdirSync(CACHE, { recursive: true })
  const found = new Map<string, string>()
  for (const name of NPM) add(found, name, fromNpm)
  const apt = aptOptions()
  for (const name of DEBIAN) add(found, name, (one, folder) => fromDebian(one, folder, apt))
  return found
}

function add(found: Map<string, string>, name: string, fetch: (name: string, folder: string) => void): void {
  const folder = join(CACHE, name)
  try {
    if (!existsSync(folder)) fetch(name, folder)
    found.set(name, folder)
  } catch (error) {
    console.error(`${name}: could not be had (${String(error).split('\n')[0]})`)
  }
}

function unpack(archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['xf', archive, '-C', folder, '--strip-components=1'])
}

function fromNpm(name: string, folder: string): void {
  const file = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', name], { cwd: CACHE, encoding: 'utf8' }).trim()
  unpack(join(CACHE, file), folder)
}

/** A list of sources of its own, so that nothing of the machine's is changed. */
function aptOptions(): readonly string[] {
  const written = spawnSync('sh', ['-c', 'cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null'], { encoding: 'utf8' }).stdout
  const mirror = /^URIs:\s*(\S+)/m.exec(written)?.[1] ?? /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)/m.exec(written)?.[1] ?? 'http://deb.debian.org/debian'
  const [list, lists, cache] = [join(CACHE, 'src.list'), join(CACHE, 'lists'), join(CACHE, 'apt')]
  for (const one of [lists, join(cache, 'archives')]) mkdirSync(join(one, 'partial'), { recursive: true })
  writeFileSync(list, `deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} bookworm main\n`)
  const options = ['-o', `Dir::Etc::SourceList=${list}`, '-o', 'Dir::Etc::SourceParts=/nonexistent', '-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`]
  if (DEBIAN.some((name) => !existsSync(join(CACHE, name)))) spawnSync('apt-get', [...options, 'update'], { stdio: 'ignore' })
  return options
}

function fromDebian(name: string, folder: string, apt: readonly string[]): void {
  const from = `${folder}.source`
  mkdirSync(from, { recursive: true })
  // Whether the package can be verified depends on which keys the machine has; the archive is only read.
  spawnSync('apt-get', [...apt, 'source', '--download-only', name], { cwd: from, stdio: 'ignore' })
  const archive = readdirSync(from).find((file) => /\.(?:orig\.)?tar\.\w+$/.test(file) && !file.includes('debian'))
  if (archive === undefined) throw new Error('no archive')
  unpack(join(from, archive), folder)
}

/** Files of some endings, at most so many, without tests of parsers that are wrong on purpose. */
export function filesIn(folder: string, endings: readonly string[], max = 1_500): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.some((ending) => file.endsWith(ending)) && !file.includes('node_modules/'))
    .sort().slice(0, max).map((file) => join(folder, file)).filter((file) => isText(file))
}

function isText(file: string): boolean {
  try {
    const bytes = readFileSync(file)
    return bytes.length < 500_000 && !bytes.includes(0)
  } catch {
    return false
  }
}
