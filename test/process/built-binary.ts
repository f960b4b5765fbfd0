/**
 * The executable for tests that need real processes: `dist/bin` where it is newer than every source, else a
 * build of its own. The build is made once for one state of the sources and shared by all test workers.
 */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { PACKAGES_APART, workerEntries, writeGrammars } from '../../scripts/workers.mjs'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIST = join(ROOT, 'dist', 'bin', 'arrowhead.js')
/** Below node_modules, so that native packages resolve from there. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'test-binary')
const HOUR_MS = 3_600_000

/** The newest change below `src`, in milliseconds. */
function newestSource(): number {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs))
}

let path: Promise<string> | undefined

/** The path of `arrowhead.js`. */
export const builtBinary = (): Promise<string> => (path ??= find())

async function find(): Promise<string> {
  const newest = newestSource()
  if (existsSync(DIST) && statSync(DIST).mtimeMs > newest) return DIST
  const folder = join(CACHE, String(newest))
  if (!existsSync(folder)) await make(folder)
  return join(folder, 'arrowhead.js')
}

async function make(folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  for (const old of readdirSync(CACHE)) if (Date.now() - statSync(join(CACHE, old)).mtimeMs > HOUR_MS) rmSync(join(CACHE, old), { recursive: true, force: true })
  writeGrammars(join(CACHE, 'grammars'))
  const outdir = mkdtempSync(join(CACHE, 'building-'))
  // As scripts/build.mjs makes it, but neither minified nor joined, so that a stack can be read.
  await build({
    entryPoints: { arrowhead: join(ROOT, 'src', 'bin.ts'), ...workerEntries() }, outdir, absWorkingDir: ROOT,
    bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', external: PACKAGES_APART, logLevel: 'warning',
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  })
  try {
    renameSync(outdir, folder)
  } catch {
    // Another worker was faster; its build is the same.
    rmSync(outdir, { recursive: true, force: true })
  }
}
