import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sampleRow, type TrailFolder, trailFolder } from './audit.fixture.ts'
import { readTrail } from './read-trail.ts'
import { createSqliteTrail } from './sqlite-trail.ts'
import { verifyTrail } from './verify-trail.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** Writes rows for ever or up to a number, and prints the id of each one that `write` acknowledged. */
const WRITER = `
import { writeSync } from 'node:fs'
import { sampleRow } from './audit.fixture.ts'
import { createSqliteTrail } from './sqlite-trail.ts'
const [, , file, name, rows, writeEvery] = process.argv
const onError = (error) => { writeSync(2, String(error)); process.exitCode = 1 }
const trail = createSqliteTrail({ file, key: 'key', flushMs: 1, batchSize: 16, onError })
for (let index = 0; index < Number(rows); index += 1) {
  const id = name + '-' + index
  if (index % Number(writeEvery) === 0) {
    await trail.write(sampleRow(id))
    writeSync(1, id + '\\n')
  } else {
    trail.append(sampleRow(id))
    if (index % 50 === 1) await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
await trail.close()
`

let scripts: string
let folder: TrailFolder
beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), 'arrowhead-writer-'))
  await build({
    stdin: { contents: WRITER, resolveDir: here, loader: 'ts' },
    outfile: join(scripts, 'writer.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['libsql'],
    logLevel: 'error',
  })
})
afterAll(() => rmSync(scripts, { recursive: true, force: true }))
beforeEach(() => {
  folder = trailFolder()
})
afterEach(() => folder.remove())

interface Writer {
  readonly child: ChildProcess
  /** Ids acknowledged so far. */
  acknowledged(): readonly string[]
  /** Resolves at the end, with the exit code (null after a signal) and the error output. */
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
}

function startWriter(
  name: string,
  rows: number,
  writeEvery: number,
  onLine: (lines: number) => void = () => undefined,
): Writer {
  const child = spawn(process.execPath, [join(scripts, 'writer.mjs'), folder.file, name, `${rows}`, `${writeEvery}`], {
    env: { ...process.env, NODE_PATH: modules },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  // A line without its end was cut by the kill; its row was acknowledged inside the process all the same.
  const acknowledged = (): string[] => output.split('\n').slice(0, -1)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    onLine(acknowledged().length)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, errors }))
  })
  return { child, acknowledged, ended }
}

/** Every stored id; the limit is far above what these tests write, and the row counts below would show it. */
const stored = (): string[] => readTrail({ file: folder.file, limit: 10_000 }).map(({ row }) => row.id)

describe('one trail and several processes', () => {
  it('is one chain that lost nothing when four of them start together and append 500 rows each', async () => {
    const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter(name, 500, 25))
    const ends = await Promise.all(writers.map(({ ended }) => ended))
    expect(ends).toEqual(Array.from({ length: 4 }, () => ({ code: 0, errors: '' })))
    expect(verifyTrail({ file: folder.file, key: 'key' })).toMatchObject({ ok: true, rows: 2_000 })
    const ids = stored()
    for (const name of ['a', 'b', 'c', 'd']) {
      const own = ids.filter((id) => id.startsWith(`${name}-`))
      expect(own).toEqual(Array.from({ length: 500 }, (_, index) => `${name}-${index}`))
    }
  }, 120_000)

  it('holds every acknowledged row and stays usable after a writer was killed, ten times over', async () => {
    const promised: string[] = []
    for (let round = 0; round < 10; round += 1) {
      const killAt = 1 + ((round * 37) % 120)
      const writer = startWriter(`k${round}`, Number.MAX_SAFE_INTEGER, 3, (lines) => {
        if (lines >= killAt) writer.child.kill('SIGKILL')
      })
      expect(await writer.ended).toEqual({ code: null, errors: '' })
      promised.push(...writer.acknowledged())
      expect(verifyTrail({ file: folder.file, key: 'key' })).toMatchObject({ ok: true })
      const next = createSqliteTrail({ file: folder.file, key: 'key', onError: () => undefined })
      await next.write(sampleRow(`next-${round}`))
      await next.close()
      promised.push(`next-${round}`)
    }
    const verdict = verifyTrail({ file: folder.file, key: 'key' })
    const ids = stored()
    expect(verdict).toMatchObject({ ok: true, rows: ids.length })
    const present = new Set(ids)
    expect(promised.filter((id) => !present.has(id))).toEqual([])
    expect(promised.length).toBeGreaterThan(300)
  }, 120_000)
})
