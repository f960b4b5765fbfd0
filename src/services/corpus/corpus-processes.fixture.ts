/** Processes that write to one corpus until they are done or killed, and what must hold afterwards. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect } from 'vitest'
import { bytesOf, type CorpusFolder, sizeOfAll } from './corpus.fixture.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/**
 * `many`: writes so many documents, most of them its own, and prints how each one ended. `endless`: overwrites a
 * few documents with texts that tell whether they are whole, and prints each one that was acknowledged.
 */
const WRITER = `
import { writeSync } from 'node:fs'
import { createJailedCorpus } from './jailed-corpus.ts'
const [, , root, ledgerFile, mode, name, count, quotaBytes] = process.argv
const corpus = createJailedCorpus({ root, ledgerFile, extensions: ['.md'], maxDocumentBytes: 100_000, quotaBytes: Number(quotaBytes) })
const write = (path, text, overwrite) => corpus.write(path, new TextEncoder().encode(text), { overwrite })
const say = (line) => writeSync(1, line + '\\n')
if (mode === 'many') {
  let next = 0
  const work = async () => {
    for (let index = next++; index < Number(count); index = next++) {
      const [path, size] = index % 5 === 0 ? ['shared/' + (index % 50) + '.md', 100 + index % 7] : [name + '/' + index + '.md', 100]
      try {
        await write(path, name.repeat(size), index % 5 === 0)
        say('ok ' + path)
      } catch (error) {
        say((error.code ?? String(error)) + ' ' + path)
      }
    }
  }
  await Promise.all([work(), work(), work(), work()])
} else {
  for (let seq = Number(count); ; seq += 1) {
    const path = ['a.md', 'b.md', 'new/' + seq + '.md', 'deep/er/c.md'][seq % 4]
    await write(path, (seq + ' ').repeat(1 + (seq * 131) % 400), true)
    say(seq + ' ' + path)
  }
}
await corpus.close()
`

export interface Writers {
  start(folder: CorpusFolder, args: { mode: 'many' | 'endless'; name: string; count: number; quotaBytes: number }): Writer
  remove(): void
}

export interface Writer {
  readonly child: ChildProcess
  /** Lines printed so far; one that was cut by a kill is left out. */
  lines(): readonly string[]
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
}

export async function buildWriters(): Promise<Writers> {
  const scripts = mkdtempSync(join(tmpdir(), 'arrowhead-corpus-writer-'))
  const outfile = join(scripts, 'writer.mjs')
  await build({
    stdin: { contents: WRITER, resolveDir: here, loader: 'ts' },
    outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', external: ['libsql'], logLevel: 'error',
  })
  return {
    start({ root, ledgerFile }, { mode, name, count, quotaBytes }) {
      const child = spawn(process.execPath, [outfile, root, ledgerFile, mode, name, `${count}`, `${quotaBytes}`], {
        env: { ...process.env, NODE_PATH: modules }, stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      let errors = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text))
      const ended = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
        child.on('error', reject)
        child.on('close', (code) => resolve({ code, errors }))
      })
      return { child, lines: () => output.split('\n').slice(0, -1), ended }
    },
    remove: () => rmSync(scripts, { recursive: true, force: true }),
  }
}

async function expectExact(folder: CorpusFolder, quotaBytes = Number.MAX_SAFE_INTEGER): Promise<void> {
  const corpus = folder.open({ extensions: ['.md'], quotaBytes })
  const used = (await corpus.usage()).usedBytes
  await corpus.close()
  expect(used).toBe(sizeOfAll(folder.documents()))
  expect(used).toBeLessThanOrEqual(quotaBytes)
}

/** Two processes write so many documents each, into room for about two thirds of them. */
export async function writeTogether(writers: Writers, folder: CorpusFolder, count: number): Promise<void> {
  const quotaBytes = Math.floor((2 * count * 100 * 2) / 3)
  const both = ['p', 'q'].map((name) => writers.start(folder, { mode: 'many', name, count, quotaBytes }))
  expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([{ code: 0, errors: '' }, { code: 0, errors: '' }])
  const lines = both.flatMap((writer) => writer.lines())
  expect(lines).toHaveLength(2 * count)
  const documents = folder.documents()
  const written = new Set(lines.filter((line) => line.startsWith('ok ')).map((line) => line.slice('ok '.length)))
  expect(lines.filter((line) => !/^(?:ok|corpus\.full) /.test(line))).toEqual([])
  expect([...documents.keys()].sort()).toEqual([...written].sort())
  for (const text of documents.values()) expect(text).toMatch(/^(?:p{100,106}|q{100,106})$/)
  expect(sizeOfAll(documents)).toBeGreaterThan(quotaBytes - 200)
  await expectExact(folder, quotaBytes)
}

/** Kills a writer at a random moment, again and again, and looks at what it leaves. */
export async function killRounds(writers: Writers, folder: CorpusFolder, rounds: number): Promise<void> {
  const acknowledged = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1) {
    const writer = writers.start(folder, { mode: 'endless', name: 'w', count: (round + 1) * 100_000, quotaBytes: 1e9 })
    const wanted = 1 + Math.floor(Math.random() * 30)
    while (writer.lines().length < wanted) await new Promise((resolve) => setTimeout(resolve, 1))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
    writer.child.kill('SIGKILL')
    expect(await writer.ended).toEqual({ code: null, errors: '' })
    for (const line of writer.lines()) acknowledged.set(line.slice(line.indexOf(' ') + 1), Number.parseInt(line, 10))
    const documents = folder.documents()
    for (const [path, seq] of acknowledged) expect(Number.parseInt(documents.get(path) ?? '', 10)).toBeGreaterThanOrEqual(seq)
    for (const text of documents.values()) expectWhole(text)
    await expectExact(folder)
  }
  const corpus = folder.open({ extensions: ['.md'], quotaBytes: 1e9 })
  await corpus.write('last.md', bytesOf('last'), { overwrite: false })
  await corpus.close()
  await expectExact(folder)
}

function expectWhole(text: string): void {
  const seq = Number.parseInt(text, 10)
  expect(text).toBe(`${seq} `.repeat(1 + (seq * 131) % 400))
}
