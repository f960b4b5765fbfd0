/**
 * The server that the conformance suite is run against: this package through its public surface, with every guard on, and
 * the tools, resources and prompts that the suite looks for. Prints one line, where it listens; ends with its input.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpDoor } from '../../src/http.ts'
import { VERSION, createArrowhead } from '../../src/index.ts'
import { askingTools } from './asking-tools.ts'
import { prompts, resources } from './named.ts'
import { answeringTools } from './tools.ts'

const port = Number(process.argv[2])
const dataDir = mkdtempSync(join(tmpdir(), 'arrowhead-conformance-'))
const arrowhead = createArrowhead(
  {
    transport: 'http', port, dangerouslyAllowInsecureHttp: true, hotLane: true, statelessHttp: true,
    allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`], allowedOrigins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
  },
  { dataDir, tools: [...answeringTools, ...askingTools], resources, prompts },
)
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
