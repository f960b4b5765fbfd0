// Worker threads and grammars: what a bundle needs beside itself. A worker is a source file that ends in `-worker.ts`.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Entry points of every worker, by the name that its starter asks for. */
export const workerEntries = () => Object.fromEntries(
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-worker.ts')).map((file) => [basename(file, '.ts'), join(ROOT, 'src', file)]),
)

/** Native, WebAssembly beside its script, or a driver: packages of their own, loaded when first used. */
export const PACKAGES_APART = ['jsonc-parser', 'libsql', 'pg', 'mysql2', 'libpg-query', '@guanmingchiu/sqlparser-ts', 'node-sqlite3-wasm']

const folderOf = (name) => join(ROOT, 'node_modules', name)
const WASM = {
  '@vscode/tree-sitter-wasm': ['wasm', ['bash', 'cpp', 'go', 'java', 'javascript', 'php', 'python', 'ruby', 'rust', 'tsx', 'typescript', 'c-sharp']],
  '@repomix/tree-sitter-wasms': ['out', ['c', 'swift']],
  '@tree-sitter-grammars/tree-sitter-kotlin': ['.', ['kotlin']],
  'tree-sitter-scala': ['.', ['scala']],
}

/** Writes the grammars, compressed, and the licences of the packages that they come from. */
export function writeGrammars(folder) {
  if (existsSync(folder)) return
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const pack = (from, name) => writeFileSync(join(draft, `${name}.wasm.gz`), gzipSync(readFileSync(from), { level: constants.Z_BEST_COMPRESSION }))
  pack(join(folderOf('web-tree-sitter'), 'web-tree-sitter.wasm'), 'web-tree-sitter')
  copyLicence('web-tree-sitter', draft)
  for (const [name, [below, languages]] of Object.entries(WASM)) {
    for (const language of languages) pack(join(folderOf(name), below, `tree-sitter-${language}.wasm`), language)
    copyLicence(name, draft)
  }
  try {
    renameSync(draft, folder)
  } catch {
    // Another process was faster; its grammars are the same.
    rmSync(draft, { recursive: true, force: true })
  }
}

function copyLicence(name, folder) {
  const from = folderOf(name)
  const file = readdirSync(from).find((one) => /^licen[cs]e/i.test(one))
  if (file) copyFileSync(join(from, file), join(folder, `LICENSE-${name.replaceAll(/[@/]+/g, '-').replace(/^-/, '')}`))
  else writeFileSync(join(folder, `LICENSE-${name.replaceAll(/[@/]+/g, '-').replace(/^-/, '')}`), `${JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')).license}\n`)
}

/** The cache's own folder: its grammars stand where a bundle below it looks for them. */
export const CACHE = join(ROOT, 'node_modules', '.cache', 'arrowhead')

/** Workers that start anew for each question: one file is loaded faster than the many of a package. */
const WHOLE = new Set(['git-worker'])
const REQUIRES = { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" }

/** For a test runner that serves sources: a worker is bundled when a source file asks for it. */
export const workerPlugin = () => ({
  name: 'workers',
  enforce: 'pre',
  async transform(code, id) {
    const asked = /new URL\('\.\/([\w-]+-worker)\.js', import\.meta\.url\)/.exec(code)
    if (!asked) return undefined
    const source = join(dirname(id), `${asked[1]}.ts`)
    const newest = Math.max(...readdirSync(dirname(id), { recursive: true, encoding: 'utf8' }).map((file) => statSync(join(dirname(id), file)).mtimeMs))
    const isWhole = WHOLE.has(asked[1])
    const outfile = join(CACHE, 'workers', `${asked[1]}-${newest}${isWhole ? '-whole' : ''}.mjs`)
    writeGrammars(join(CACHE, 'grammars'))
    if (!existsSync(outfile)) {
      await build({ entryPoints: [source], outfile: `${outfile}.${process.pid}.mjs`, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: isWhole ? 'bundle' : 'external', ...(isWhole && { banner: REQUIRES, minifyWhitespace: true, minifySyntax: true }), logLevel: 'warning' })
      renameSync(`${outfile}.${process.pid}.mjs`, outfile)
    }
    return code.replace(asked[0], `new URL(${JSON.stringify(`file://${outfile}`)})`)
  },
})
