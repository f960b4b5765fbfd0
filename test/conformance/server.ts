/**
 * The server that the conformance suite is run against, on the port of its only argument. Prints one line, where it
 * listens; ends with its input.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpDoor } from '../../src/http.ts'
import { VERSION } from '../../src/index.ts'
import { openFixture } from './open-fixture.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'arrowhead-conformance-'))
const arrowhead = openFixture({ port: Number(process.argv[2]), dataDir })
const door = createHttpDoor({
  app: arrowhead.app, version: VERSION, extras: { logging: true, subscribe: true },
  warn: (text) => void process.stderr.write(`${text}\n`),
})
const { url } = await door.listen()
process.stdout.write(`listening on ${url}\n`)

process.stdin.resume().once('end', async () => {
  await door.drain()
  await arrowhead.close()
  rmSync(dataDir, { recursive: true, force: true })
})
