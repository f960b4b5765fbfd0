/** Scripts over our own sources as processes of their own, for tests of what several of them do at once. */

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

export interface Started {
  readonly child: ChildProcess
  /** Whole lines printed so far; one that was cut by a kill is left out. */
  lines(): readonly string[]
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
}

export interface Script {
  start(...args: readonly (string | number)[]): Started
  remove(): void
}

/** Bundles a script whose imports are relative to this folder. */
export async function buildScript(contents: string): Promise<Script> {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-script-'))
  const outfile = join(folder, 'script.mjs')
  await build({
    stdin: { contents, resolveDir: here, loader: 'ts' }, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', external: ['libsql', 'pg-native'], logLevel: 'error',
    // Some packages ask for their parts as CommonJS does.
    banner: { js: "import { createRequire as forCommonJs } from 'node:module'; globalThis.require ??= forCommonJs(import.meta.url)" },
  })
  return {
    start(...args) {
      const child = spawn(process.execPath, [outfile, ...args.map(String)], { env: { ...process.env, NODE_PATH: modules }, stdio: ['ignore', 'pipe', 'pipe'] })
      let [output, errors] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text))
      const ended = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
        child.on('error', reject)
        child.on('close', (code) => resolve({ code, errors }))
      })
      return { child, lines: () => output.split('\n').slice(0, -1), ended }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
