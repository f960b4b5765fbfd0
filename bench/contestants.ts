/** The servers that are started as processes, and how each one is made ready. */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { Command } from './raw-client.ts'

/** A folder of its own for one bench, removed when `use` is done. */
export async function inTempDir<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-bench-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Calls per minute: the guard counts every call, and none of a bench is over it. */
const CEILING = 1_000_000
/** More than a trail without rows takes, and less than a thousand rows do. */
const MIN_TRAIL_BYTES = 150_000

export const RAISED_CEILINGS = { calculatePerMinute: CEILING, listingPerMinute: CEILING } as const

/** Says no to a bench whose calls left no rows. Call it once our side is closed. @throws Error */
export function checkTrail(dataDir: string): void {
  // The newest rows may still be in the write-ahead log.
  const sizes = ['', '-wal'].map((suffix) => statSync(join(dataDir, `audit.sqlite${suffix}`), { throwIfNoEntry: false })?.size ?? 0)
  if (Math.max(...sizes) < MIN_TRAIL_BYTES) throw new Error('our calls left no audit trail')
}

export const dataDirOf = (folder: string): string => join(folder, 'data')

/** Our binary with its trail, its log and all its guards. */
export const ours = (binary: string, folder: string): Command => ({
  args: [resolve(binary), 'serve'],
  cwd: folder,
  env: {
    ARROWHEAD_DATA_DIR: dataDirOf(folder), ARROWHEAD_JAIL_ROOT: folder,
    ARROWHEAD_CALCULATE_PER_MINUTE: String(CEILING), ARROWHEAD_LISTING_PER_MINUTE: String(CEILING),
  },
})

/** The SDK's server with the same tools, bundled as our binary is. */
export async function sdkServer(cwd: string): Promise<Command> {
  const outdir = join('node_modules', '.cache', 'bench')
  await build({
    entryPoints: ['bench/servers/sdk-stdio.ts'], outdir, outExtension: { '.js': '.mjs' }, bundle: true, splitting: true, format: 'esm',
    platform: 'node', target: 'node20', minifySyntax: true, minifyWhitespace: true, legalComments: 'none', logLevel: 'warning',
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  })
  return { args: [resolve(outdir, 'sdk-stdio.mjs')], cwd }
}

/** The reference server for files, as npm installs it. */
export function filesystemServer(folder: string): Command {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json')
  return { args: [join(dirname(manifest), 'dist', 'index.js'), folder], cwd: folder }
}
