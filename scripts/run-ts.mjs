// Runs a TypeScript program of this repository: bundled in memory-sized pieces, packages left outside.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { CACHE, workerEntries, writeGrammars } from './workers.mjs'

const [entry, ...args] = process.argv.slice(2)
if (!entry) throw new Error('usage: node scripts/run-ts.mjs FILE [args]')
// Below node_modules, so that packages resolve as they do for the sources.
const folder = join(CACHE, `${basename(entry)}-${process.pid}`)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
writeGrammars(join(CACHE, 'grammars'))
try {
  await build({
    entryPoints: { main: entry, ...workerEntries() }, outdir: folder, bundle: true, splitting: true, format: 'esm', platform: 'node',
    target: 'node20', packages: 'external', logLevel: 'warning', sourcemap: 'inline',
  })
  const run = spawnSync(process.execPath, ['--enable-source-maps', join(folder, 'main.js'), ...args], { stdio: 'inherit' })
  process.exitCode = run.status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
