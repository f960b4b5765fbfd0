// Builds the package: tsc for the library and its types, esbuild for a binary that starts fast.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import { workerEntries, writeGrammars } from './workers.mjs'

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

await build({
  entryPoints: { arrowhead: 'src/bin.ts', ...workerEntries() },
  outdir: 'dist/bin',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Native or WebAssembly beside its script, or a driver: packages of their own, loaded when first used.
  external: ['libsql', 'pg', 'mysql2', 'libpg-query', '@guanmingchiu/sqlparser-ts', 'node-sqlite3-wasm'],
  plugins: [compiledListings],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  banner: { js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
})
writeGrammars('dist/grammars')
chmodSync('dist/bin/arrowhead.js', 0o755)
