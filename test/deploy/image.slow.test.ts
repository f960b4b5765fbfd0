/**
 * The image's steps, replayed without an engine: the context that .dockerignore leaves, the build stage's own commands,
 * and the last stage's copies, run as its user on a read-only root. Not replayed: the base image, `npm ci` (the
 * checkout's own packages stand in for it), and the commands that make the user and take npm out of the base.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../process/built-binary.ts'
import { textOf } from './files.ts'

const canJail = process.getuid?.() === 0 && spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0
const instructions = DockerfileParser.parse(textOf('deploy/Dockerfile')).getInstructions()
const stages = instructions.flatMap((one, at) => (one.getKeyword() === 'FROM' ? [at] : []))
const [buildStage, runStage] = [instructions.slice(stages[0], stages[1]), instructions.slice(stages[1])]
const USER = 10001
const PORT = 18_931

let root: string
beforeAll(() => {
  if (!canJail) return
  root = mkdtempSync(join(tmpdir(), 'arrowhead-image-'))
  chmodSync(root, 0o755)
  const src = join(root, 'src')
  mkdirSync(src)
  for (const name of textOf('.dockerignore').split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1))) {
    const paths = name.includes('*') ? execFileSync('sh', ['-c', `ls -d ${name}`], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n') : [name]
    for (const path of paths) cpSync(join(ROOT, path), join(src, path), { recursive: true, filter: (from) => !from.endsWith('.test.ts') })
  }
  execFileSync('cp', ['-al', join(ROOT, 'node_modules'), join(src, 'node_modules')])
  const run = buildStage.filter((one) => one.getKeyword() === 'RUN').map((one) => one.getArgumentsContent() ?? '').filter((command) => !command.startsWith('npm ci'))
  for (const command of run) execFileSync('sh', ['-ec', command.replaceAll(/\\\n/g, '')], { cwd: src, stdio: 'pipe' })
  const app = join(root, 'app')
  for (const copy of runStage.filter((one) => one.getKeyword() === 'COPY')) {
    const parts = copy.getArguments().map((one) => one.getValue()).filter((part) => !part.startsWith('--'))
    const to = join(app, parts.at(-1) ?? '')
    const isFolder = parts.length > 2
    mkdirSync(isFolder ? to : app, { recursive: true })
    for (const from of parts.slice(0, -1)) execFileSync('cp', ['-a', `${root}${from}`, isFolder ? `${to}/` : to])
  }
  for (const folder of ['', '/data', '/documents', '/memory']) {
    mkdirSync(join(root, `state${folder}`), { mode: 0o700 })
    chownSync(join(root, `state${folder}`), USER, USER)
  }
}, 600_000)
afterAll(() => {
  if (canJail) rmSync(root, { recursive: true, force: true })
})

const env = (): Readonly<Record<string, string>> => Object.fromEntries(runStage.filter((one) => one.getKeyword() === 'ENV').flatMap((one) => one.getArguments()).map((one) => one.getValue().split('=') as [string, string]))
/** A read-only root, the app where the image has it, and writable what the image says is writable. */
const inImage = (command: readonly string[]): readonly string[] => [
  '--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/home', '--tmpfs', '/var/lib',
  '--bind', join(root, 'state'), '/var/lib/arrowhead', '--tmpfs', '/srv', '--ro-bind', join(root, 'app'), '/srv/app', '--chdir', '/srv/app',
  'setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--bounding-set=-all', '--no-new-privs', ...command,
]
const started = (args: readonly string[], more: Readonly<Record<string, string>>) =>
  spawn('bwrap', inImage([process.execPath, '/srv/app/dist/bin/arrowhead.js', ...args]), { env: { PATH: process.env['PATH'] ?? '', ...env(), ARROWHEAD_JAIL_ROOT: '/srv/app/sandbox', ARROWHEAD_PORT: String(PORT), ...more } })

/** The program itself. `bwrap` hands no signal on, and what becomes another user outlives it. */
const insideOf = (pid: number): number => {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return child === undefined || child === '' ? pid : insideOf(Number(child))
}

describe.skipIf(!canJail)('the image, replayed (skipped where bubblewrap is missing or this is not root)', () => {
  test('has no development package and no source', () => {
    for (const name of ['vitest', 'typescript', 'esbuild', 'vitepress', 'playwright-core']) expect(existsSync(join(root, 'app/node_modules', name))).toBe(false)
    for (const name of ['src', 'test', 'scripts']) expect(existsSync(join(root, 'app', name))).toBe(false)
  })

  test('serves HTTP as its user on a read-only root, is healthy by its own check, and ends at once when asked to', async () => {
    const server = started(['serve'], { ARROWHEAD_ALLOW_INSECURE_HTTP: 'true' })
    let said = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text))
    const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
    try {
      await expect.poll(() => said, { timeout: 60_000 }).toContain('listening on')
      const check = JSON.parse(runStage.find((one) => one.getKeyword() === 'HEALTHCHECK')?.getArgumentsContent()?.replace(/^[^[]*/s, '') ?? '[]') as readonly string[]
      expect(spawnSync(check[0] ?? '', check.slice(1), { env: { PATH: process.env['PATH'] ?? '', ARROWHEAD_PORT: String(PORT) } }).status).toBe(0)
      const answer = await fetch(`http://127.0.0.1:${PORT}/mcp`, {
        method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'doc_write', arguments: { path: 'anonymous/note.md', content: 'kept' } } }),
      })
      expect(answer.status).toBe(200)
      for (const [path, isWritable] of [['/srv/app/x', false], ['/etc/x', false], ['/var/lib/arrowhead/x', true]] as const) expect(spawnSync('bwrap', inImage(['touch', path])).status === 0, path).toBe(isWritable)
    } finally {
      process.kill(insideOf(server.pid ?? 0), 'SIGTERM')
    }
    expect(await ended).toBe(0)
    await expect(fetch(`http://127.0.0.1:${PORT}/health`)).rejects.toThrow()
    expect(existsSync(join(root, 'state/data'))).toBe(true)
  })

  test('speaks MCP over stdio where that is asked for', async () => {
    const server = started(['serve'], { ARROWHEAD_TRANSPORT: 'stdio' })
    let out = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text))
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } } })}\n`)
    await expect.poll(() => out, { timeout: 60_000 }).toContain('"serverInfo"')
    server.stdin.end()
    expect(await new Promise((resolve) => server.once('exit', resolve))).toBe(0)
  })
})
