/**
 * Measures the declarations that symbol_map lists on real source packages, against the TypeScript compiler's parser,
 * Python's `ast`, and universal-ctags for the rest: `npm run oracle:symbols [-- --only go,rust --examples 3]`. Prints
 * recall, precision and the differences by kind; clang judges those of C and C++. Exits 1 when a language stays below its bar.
 */

import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { Declaration, Language } from '../../src/kernel/ports/symbols.ts'
import { createSymbols } from '../../src/services/symbols/index.ts'
import { Score, report } from './compare.ts'
import { type CtagsLanguage, tellCtags } from './ctags.ts'
import { CACHE, fetchPackages, filesIn } from './packages.ts'
import { tellPython } from './python.ts'
import type { Told } from './told.ts'
import { tellTypescript } from './typescript.ts'

interface Row {
  readonly language: Language
  readonly endings: readonly string[]
  readonly packages: readonly string[]
  readonly bar: number
  readonly tell: CtagsLanguage | 'typescript' | 'python'
  /** What clang is called with to judge the differences. */
  readonly clang?: readonly string[]
  /** Kinds of ours that the oracle does not tell at all. */
  readonly leaves?: (declaration: Declaration) => boolean
}

/** What ctags calls things that have no name. */
const UNNAMED = /^(?:__anon|AnonymousClass|anonymous|<lambda>$)/

const ROWS: readonly Row[] = [
  { language: 'typescript', endings: ['.ts', '.mts', '.cts'], packages: ['rxjs@7.8.2', 'zod@4.6.7', 'date-fns@4.1.0'], bar: 0.99, tell: 'typescript' },
  { language: 'javascript', endings: ['.js', '.mjs', '.cjs'], packages: ['rxjs@7.8.2', 'node-gyp@11.0.0', 'date-fns@4.1.0'], bar: 0.99, tell: 'typescript' },
  { language: 'python', endings: ['.py'], packages: ['node-gyp@11.0.0'], bar: 0.99, tell: 'python' },
  { language: 'go', endings: ['.go'], packages: ['golang-github-spf13-cobra'], bar: 0.95, tell: { name: 'Go', kinds: 'fcistvmna' } },
  { language: 'rust', endings: ['.rs'], packages: ['rust-serde'], bar: 0.95, tell: { name: 'Rust', kinds: 'fgimnPstveM' }, leaves: ({ kind }) => kind === 'constant' || kind === 'union' },
  { language: 'java', endings: ['.java'], packages: ['libcommons-lang3-java'], bar: 0.95, tell: { name: 'Java', kinds: 'acefgim' } },
  { language: 'kotlin', endings: ['.kt'], packages: ['react-native@0.79.0'], bar: 0.95, tell: { name: 'Kotlin', kinds: 'CTcimov' }, leaves: ({ kind }) => kind === 'member' || kind === 'constructor' },
  { language: 'ruby', endings: ['.rb'], packages: ['react-native@0.79.0'], bar: 0.95, tell: { name: 'Ruby', kinds: 'cfmSCa' } },
  { language: 'php', endings: ['.php'], packages: ['php-twig'], bar: 0.95, tell: { name: 'PHP', kinds: 'cdfintv' } },
  { language: 'c', endings: ['.c', '.h'], packages: ['jansson', 'lua5.4', 'zlib'], bar: 0.95, tell: { name: 'C', kinds: 'defgmpstuvx' }, clang: ['-x', 'c'] },
  { language: 'cpp', endings: ['.h', '.cc', '.cpp'], packages: ['fmtlib', 'nan@2.22.0'], bar: 0.95, tell: { name: 'C++', kinds: 'cdefgmnpstuvx' }, clang: ['-x', 'c++', '-std=c++17'] },
  { language: 'cpp', endings: ['.h', '.cc', '.cpp'], packages: ['googletest', 'leveldb', 'tinyxml2'], bar: 0.95, tell: { name: 'C++', kinds: 'cdefgmnpstuvx' }, clang: ['-x', 'c++', '-std=c++17'] },
  { language: 'csharp', endings: ['.cs'], packages: ['keepass2'], bar: 0.95, tell: { name: 'C#', kinds: 'Ecefgimnpst' } },
  { language: 'shell', endings: ['.sh', '.bash', ''], packages: ['bash-completion'], bar: 0.95, tell: { name: 'Sh', kinds: 'f' }, leaves: ({ kind }) => kind === 'variable' },
]

const { values } = parseArgs({ options: { only: { type: 'string' }, examples: { type: 'string', default: '2' } } })
const asked = values.only?.split(',')
const packages = fetchPackages()
/** What the packages include of each other and of themselves. */
const INCLUDES = ['fmtlib/include', 'googletest/googletest/include', 'googletest/googlemock/include', 'googletest/googletest', 'googletest/googlemock', 'leveldb', 'leveldb/include', 'tinyxml2', 'zlib', 'jansson/src', 'lua5.4/src']
  .map((place) => `-I${CACHE}/${place}`).concat(`-I${dirname(dirname(process.execPath))}/include/node`)
const symbols = createSymbols({ deadlineMs: 20_000 })
console.log(`packages: ${[...packages.keys()].join(', ')}`)

async function measured(row: Row): Promise<boolean> {
  const files = row.packages.flatMap((name) => filesOf(row, packages.get(name)))
  const told = toldOf(row, files)
  const score = new Score()
  const starts = new Score()
  let seen = 0
  for (const [file, theirs] of told) {
    const text = readFileSync(file, 'utf8')
    const { declarations, problem } = await symbols.declarationsOf(text, row.language)
    if (problem) console.error(`${file}: ${problem}`)
    const ours = declarations.filter((one) => !(row.leaves?.(one) ?? false))
    seen += 1
    score.add(file, ours.map(({ nameLine, ...one }) => ({ ...one, line: nameLine })), theirs.filter(({ name: own }) => !UNNAMED.test(own)))
    if (typeof row.tell === 'string') starts.add(file, ours.map(({ startLine, ...one }) => ({ ...one, line: startLine })), theirs.map((one) => ({ ...one, line: one.start ?? one.line })))
  }
  if (seen === 0) {
    console.log(`${row.language}: no sources could be had`)
    return false
  }
  console.log(report(row.language, typeof row.tell === 'string' ? row.tell : 'universal-ctags', seen, score, Number(values.examples)))
  if (typeof row.tell === 'string') console.log(report('  starts', row.tell, seen, starts, Number(values.examples)))
  return isGood(row, score)
}

/** Where another judge is named, it has the last word on each difference. */
function isGood(row: Row, score: Score): boolean {
  const settled = row.clang && score.settled([...row.clang, ...INCLUDES])
  if (settled) {
    console.log(settled.told)
    console.log(report('  settled', 'universal-ctags, then clang', 0, settled.score, Number(values.examples)))
  } else if (row.clang) console.log('    clang is not there (Debian: python3-clang), so that nothing is judged')
  const { recall, precision } = settled?.score ?? score
  return recall >= row.bar && precision >= row.bar
}

function filesOf({ endings }: Row, folder: string | undefined): readonly string[] {
  if (folder === undefined) return []
  const plain = filesIn(folder, endings.filter((ending) => ending !== ''))
  const bare = endings.includes('') ? filesIn(folder, ['']).filter((file) => /completions\/[^./]+$/.test(file)) : []
  return [...plain, ...bare]
}

function toldOf({ tell }: Row, files: readonly string[]): ReadonlyMap<string, readonly Told[]> {
  if (tell === 'typescript') return new Map(files.map((file) => [file, tellTypescript(file)]))
  return tell === 'python' ? tellPython(files) : tellCtags(files, tell)
}

let good = true
for (const row of ROWS) if (asked === undefined || asked.includes(row.language)) good = (await measured(row)) && good
await symbols.close()
process.exit(good ? 0 : 1)
