import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { indexFolder, type IndexFolder, many, storedIn } from './code-index.fixture.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** Brings an index to each of some marks in turn, searches between, and prints a line after each. */
const WRITER = `
import { writeSync } from 'node:fs'
import { createCodeIndex } from './index.ts'
import { many } from './code-index.fixture.ts'
const [, , file, count, ...marks] = process.argv
const index = createCodeIndex({ file, clock: { now: () => Date.now(), ticks: () => 0 }, holdsCredentials: () => false })
for (const mark of marks) {
  const { complete } = await index.update(many(Number(count), mark))
  const { hits } = await index.search('read number 7', { limit: 5 })
  writeSync(1, mark + ' ' + complete + ' ' + hits.length + '\\n')
}
`

let scripts: string
let folder: IndexFolder
beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), 'arrowhead-indexer-'))
  await build({
    stdin: { contents: WRITER, resolveDir: here, loader: 'ts' }, outfile: join(scripts, 'writer.mjs'), bundle: true, platform: 'node',
    format: 'esm', target: 'node20', external: ['libsql'], logLevel: 'error',
  })
})
afterAll(() => rmSync(scripts, { recursive: true, force: true }))
beforeEach(() => {
  folder = indexFolder()
})
afterEach(() => folder.remove())

function start(count: number, marks: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const child = spawn(process.execPath, [join(scripts, 'writer.mjs'), folder.file, String(count), ...marks], { env: { NODE_PATH: modules }, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => { text += String(data) })
  return { child, ended: new Promise((resolve) => { child.once('close', () => resolve(text)) }) }
}

async function builtAtOnce(count: number, mark: string): Promise<unknown> {
  const index = folder.open('fresh.sqlite')
  await index.update(many(count, mark))
  index.close()
  return storedIn(folder.file.replace('index.sqlite', 'fresh.sqlite'))
}

describe('one index and several processes', () => {
  it('ends as if one had built it when three of them bring it to the same states together', async () => {
    const marks = ['a', 'b', 'c', 'd']
    const texts = await Promise.all([1, 2, 3].map(() => start(150, marks).ended))
    for (const text of texts) expect(text).toBe(marks.map((mark) => `${mark} true 5\n`).join(''))
    const index = folder.open()
    await index.update(many(150, 'd'))
    index.close()
    expect(storedIn(folder.file)).toEqual(await builtAtOnce(150, 'd'))
  }, 120_000)

  it('goes on where a killed one was', async () => {
    for (const afterMs of [0, 20, 50, 100, 200]) {
      const { child, ended } = start(400, Array.from({ length: 200 }, (_, at) => `m${at}`))
      child.stdout?.once('data', () => setTimeout(() => child.kill('SIGKILL'), afterMs))
      expect(await ended).toMatch(/^m0 true 5\n/)
      expect(child.signalCode).toBe('SIGKILL')
    }
    const index = folder.open()
    expect(await index.update(many(400, 'z'))).toMatchObject({ complete: true })
    index.close()
    expect(storedIn(folder.file)).toEqual(await builtAtOnce(400, 'z'))
  }, 120_000)
})
