/** Processes that write one trail while it is archived, and are killed in the middle: no row is lost, and the chain is whole. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { trailFolder } from './audit.fixture.ts'
import { followTrail } from './read-trail.ts'
import { createSqliteTrail } from './sqlite-trail.ts'
import { verifyTrail } from './verify-trail.ts'

/** Prints the id of each row that `write` acknowledged. */
const WRITER = `
import { writeSync } from 'node:fs'
import { sampleRow } from './audit.fixture.ts'
import { createSqliteTrail } from './sqlite-trail.ts'
const [, , file, name] = process.argv
const trail = createSqliteTrail({ file, key: 'key', flushMs: 1, archive: { maxBytes: 100_000, keepRows: 60 }, onError: (error) => writeSync(2, String(error) + '\\n') })
for (let n = 0; ; n += 1) {
  for (let beside = 0; beside < 20; beside += 1) trail.append(sampleRow(name + '-' + n + '-' + beside, { args: 'x'.repeat(100) }))
  await trail.write(sampleRow(name + '-' + n))
  writeSync(1, name + '-' + n + '\\n')
  await new Promise((resolve) => setTimeout(resolve, 2))
}
`
const here = fileURLToPath(new URL('.', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const ROUNDS = 3

let scripts: string
beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), 'arrowhead-archiver-'))
  await build({ stdin: { contents: WRITER, resolveDir: here, loader: 'ts' }, outfile: join(scripts, 'writer.mjs'), bundle: true, platform: 'node', format: 'esm', target: 'node20', external: ['libsql'], logLevel: 'error' })
})
afterAll(() => rmSync(scripts, { recursive: true, force: true }))

/** Writes until so many rows were acknowledged, and is killed there. */
function writeAndDie(file: string, name: string, rows: number): Promise<{ readonly ids: readonly string[]; readonly errors: string }> {
  const child = spawn(process.execPath, [join(scripts, 'writer.mjs'), file, name], { env: { ...process.env, NODE_PATH: modules }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.split('\n').length > rows) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', () => resolve({ ids: output.split('\n').slice(0, -1), errors })))
}

it('an acknowledged row is in the trail, whoever is killed while it is archived', async () => {
  const folder = trailFolder()
  try {
    const acknowledged: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const ended = await Promise.all([0, 1].map((writer) => writeAndDie(folder.file, `w${round}${writer}`, 30 + round * 7 + writer * 11)))
      expect(ended.map(({ errors }) => errors)).toEqual(['', ''])
      acknowledged.push(...ended.flatMap(({ ids }) => ids))
    }
    const after = createSqliteTrail({ file: folder.file, key: 'key', archive: { maxBytes: 100_000, keepRows: 60 }, onError: (error) => expect(error).toBeUndefined() })
    await after.close()
    const verdict = verifyTrail({ file: folder.file, key: 'key' })
    expect(verdict).toMatchObject({ ok: true })
    const [ids, stop] = [new Set<string>(), new AbortController()]
    let seen = 0
    for await (const { row } of followTrail({ file: folder.file, afterSeq: 0, signal: stop.signal })) {
      ids.add(row.id)
      seen += 1
      if (verdict.ok && seen === verdict.rows) stop.abort()
    }
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * 60)
  } finally {
    folder.remove()
  }
})
