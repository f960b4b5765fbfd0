/** Processes that share one embedded database, as stdio servers of one user do. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** Inserts rows without end and prints the number of each one that was acknowledged; `stop` on its input ends it well. */
const WRITER = `
import { writeSync } from 'node:fs'
import { createEmbeddedDatabase } from './embedded-database.ts'
const [, , folder, template, from] = process.argv
const database = createEmbeddedDatabase({ folder, template })
const say = (line) => writeSync(1, line + '\\n')
let going = true
process.stdin.on('data', () => { going = false })
await database.migrate([{ name: 'test.rows', sql: 'create table arrowhead.rows (n int primary key)' }]).catch(() => {})
for (let n = Number(from); going; n += 1) {
  try {
    await database.query({ sql: 'insert into arrowhead.rows values ($1)', values: [n] }, { role: 'owner' })
    say('ok ' + n)
  } catch (error) {
    say((error.code ?? error.sqlState ?? String(error)) + ' ' + n)
  }
}
await database.close()
say('closed')
process.exit(0)
`

export interface Writer {
  readonly child: ChildProcess
  /** Numbers of the rows that were acknowledged so far. */
  readonly acknowledged: readonly number[]
  /** Everything else that was printed. */
  readonly said: readonly string[]
  until(acknowledged: number): Promise<void>
  /** Lets it end well. */
  stop(): Promise<void>
  kill(): Promise<void>
}

export interface Writers {
  start(folder: string, template: string, from: number): Writer
  remove(): void
}

export async function makeWriters(): Promise<Writers> {
  const folder = mkdtempSync(join(modules, '.cache', 'database-writer-'))
  const file = join(folder, 'writer.mjs')
  await build({
    stdin: { contents: WRITER, resolveDir: here, loader: 'ts' }, outfile: file, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external', logLevel: 'warning',
  })
  return {
    start: (...args) => writer(spawn(process.execPath, [file, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] })),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function writer(child: ChildProcess): Writer {
  const [acknowledged, said]: [number[], string[]] = [[], []]
  const waiting = new Set<() => void>()
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  if (child.stdout) createInterface(child.stdout).on('line', (line) => {
    const ok = /^ok (\d+)$/.exec(line)?.[1]
    if (ok === undefined) said.push(line)
    else acknowledged.push(Number(ok))
    for (const look of waiting) look()
  })
  return {
    child, acknowledged, said,
    until: (count) => new Promise((done) => {
      const look = (): void => {
        if (acknowledged.length < count) return
        waiting.delete(look)
        done()
      }
      waiting.add(look)
      look()
    }),
    async stop() {
      child.stdin?.write('stop\n')
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
