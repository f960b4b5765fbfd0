// Builds the package: tsc for the library and its types, esbuild for a binary that starts fast.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { joinChunks } from './join-chunks.mjs'
import { PACKAGES_APART, workerEntries, writeGrammars } from './workers.mjs'

rmSync('dist', { recursive: true, force: true })
const tsc = spawnSync('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

// How the catalogue is listed is worked out here, so that the binary need not describe every schema when it starts.
const { catalog } = await import('../dist/tools/catalog.js')
const { listedTool } = await import('../dist/app/listed.js')
const listings = JSON.stringify(Object.fromEntries(catalog.flatMap(({ tools }) => tools).map((tool) => [tool.name, listedTool(tool)])))
const compiledListings = {
  name: 'compiled-listings',
  setup: ({ onLoad }) => onLoad({ filter: /[\\/]app[\\/]compiled-listings\.ts$/ }, () => ({
    contents: `let made\nexport const compiledListing = (name) => (made ??= new Map(Object.entries(JSON.parse(${JSON.stringify(listings)})))).get(name)`,
    loader: 'js',
  })),
}

const options = {
  outdir: 'dist/bin',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: PACKAGES_APART,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
}
const { metafile } = await build({ ...options, entryPoints: { arrowhead: 'src/bin.ts' }, plugins: [compiledListings], metafile: true })
await joinChunks(metafile.outputs, options)
// A thread loads modules of its own, so it shares no chunk with the binary, and none may have the name of one that was rewritten.
await build({ ...options, entryPoints: workerEntries(), chunkNames: 'worker-[hash]' })

// A CommonJS package that was bundled calls require; the other chunks start without one, and only the binary has a first line.
const REQUIRE = "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);\n"
for (const name of readdirSync('dist/bin').filter((name) => name.endsWith('.js'))) {
  const file = join('dist/bin', name)
  const text = readFileSync(file, 'utf8').replace(/^#!.*\n/, '')
  const isBinary = name === 'arrowhead.js'
  if (isBinary || /\brequire\b/.test(text)) writeFileSync(file, (isBinary ? '#!/usr/bin/env node\n' : '') + (/\brequire\b/.test(text) ? REQUIRE : '') + text)
}
writeGrammars('dist/grammars')
chmodSync('dist/bin/arrowhead.js', 0o755)

// An embedded database unpacked from this starts in a tenth of the time that making one takes.
const work = mkdtempSync(join(tmpdir(), 'arrowhead-template-'))
try {
  const { makeTemplate } = await import('../dist/services/database/index.js')
  await makeTemplate(work, 'dist/postgres-template.tgz')
} finally {
  rmSync(work, { recursive: true, force: true })
}
