// What it costs to have this package: packages, bytes on disk, seconds to install, and seconds from start to the first
// answer, beside three servers of the registry. Each is installed into an empty folder, with the same npm and its cache.
//   npm run bench:install [-- --json]
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const STARTS = 5
const work = mkdtempSync(join(tmpdir(), 'arrowhead-install-'))

function packSelf() {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], { encoding: 'utf8', maxBuffer: 64_000_000 })
  if (status !== 0) throw new Error(stderr)
  return join(work, JSON.parse(stdout.slice(stdout.indexOf('[')))[0].filename)
}

const SUBJECTS = [
  { name: 'arrowhead', spec: packSelf, bin: 'arrowhead', args: ['serve'] },
  { name: '@modelcontextprotocol/server-filesystem', spec: () => '@modelcontextprotocol/server-filesystem@2026.8.31', bin: 'mcp-server-filesystem', args: ['.'] },
  { name: '@modelcontextprotocol/server-everything', spec: () => '@modelcontextprotocol/server-everything@2026.8.31', bin: 'mcp-server-everything', args: [] },
  { name: 'fastmcp', spec: () => 'fastmcp', bin: undefined, args: [], program: "import { FastMCP } from 'fastmcp'\nnew FastMCP({ name: 'x', version: '1.0.0' }).start({ transportType: 'stdio' })\n" },
]

function sizeOf(folder) {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size
  return bytes
}

async function startSeconds(folder, { bin, args, program }) {
  if (program) writeFileSync(join(folder, 'server.mjs'), program)
  const command = program ? [process.execPath, 'server.mjs'] : [join('node_modules', '.bin', bin), ...args]
  const start = performance.now()
  const child = spawn(command[0], command.slice(1), { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: process.env.PATH, HOME: folder } })
  const answered = new Promise((done, failed) => {
    child.stdout.on('data', () => done((performance.now() - start) / 1000))
    child.once('exit', () => failed(new Error('ended before it answered')))
    setTimeout(() => failed(new Error('no answer within a minute')), 60_000).unref()
  })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' } } })}\n`)
  try {
    return await answered
  } finally {
    child.kill('SIGKILL')
  }
}

async function measure(subject) {
  const folder = join(work, subject.name.replaceAll('/', '-'))
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"name":"bench","private":true,"type":"module"}')
  const spec = subject.spec()
  const start = performance.now()
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', spec], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) return { name: subject.name, error: stderr.split('\n')[0] }
  const installSeconds = (performance.now() - start) / 1000
  const packages = Object.keys(JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')).packages).length
  const starts = []
  for (let n = 0; n < STARTS; n += 1) starts.push(await startSeconds(folder, subject).catch(() => Number.NaN))
  starts.sort((a, b) => a - b)
  return { name: subject.name, packages, megabytes: sizeOf(join(folder, 'node_modules')) / 1e6, installSeconds, startSeconds: starts[STARTS >> 1] }
}

try {
  const rows = []
  for (const subject of SUBJECTS) rows.push(await measure(subject))
  if (process.argv.includes('--json')) console.log(JSON.stringify(rows, null, 2))
  else {
    console.log('package                                    packages      MB  install s  first answer s')
    for (const { name, packages, megabytes, installSeconds, startSeconds: first, error } of rows) console.log(error ? `${name.padEnd(42)} ${error}` : `${name.padEnd(42)} ${String(packages).padStart(8)} ${megabytes.toFixed(1).padStart(7)} ${installSeconds.toFixed(1).padStart(10)} ${first.toFixed(2).padStart(15)}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
