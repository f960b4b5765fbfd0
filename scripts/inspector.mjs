// Drives the MCP Inspector's command line against this server: lists the tools and calls `calculate`, in both
// protocol eras, over stdio and over HTTP with auth. Prints `inspector 8/8`, or what failed; exits accordingly.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const INSPECTOR = '@modelcontextprotocol/inspector'
const VERSION = '2.12.0'
/** Too large for a dependency that few need: it is fetched on first use, and nothing of it is run while it is. */
const HOME = resolve('node_modules', '.cache', 'inspector')
const BINARY = resolve('dist', 'bin', 'arrowhead.js')
const START_MS = 20_000
const ASK_MS = 60_000

function installInspector() {
  const manifest = join(HOME, 'node_modules', INSPECTOR, 'package.json')
  if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).version !== VERSION) {
    mkdirSync(HOME, { recursive: true })
    writeFileSync(join(HOME, 'package.json'), '{"private":true}\n')
    const npm = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${INSPECTOR}@${VERSION}`], { cwd: HOME, stdio: ['ignore', 'ignore', 'inherit'] })
    if (npm.status !== 0) throw new Error(`${INSPECTOR}@${VERSION} cannot be installed`)
  }
  return join(HOME, 'node_modules', '.bin', 'mcp-inspector')
}

const freePort = () =>
  new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

/** `quickstart` in a folder of its own. Resolves when it says where it listens. */
async function startHttp(folder, env) {
  const child = spawn(process.execPath, [BINARY, 'quickstart', '--port', String(await freePort())], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8')
  const entry = await new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`quickstart did not start: ${said}`)), START_MS)
    child.once('exit', (code) => fail(new Error(`quickstart ended with ${code}: ${said}`)))
    child.stderr.on('data', function hear(chunk) {
      said += chunk
      const [, url] = /^arrowhead: listening on (\S+)$/m.exec(said) ?? []
      const [, tokenFile] = /^The token is in (.+) and valid/m.exec(said) ?? []
      if (url === undefined || tokenFile === undefined) return
      clearTimeout(timer)
      child.stderr.off('data', hear).resume()
      done({ url, token: readFileSync(tokenFile, 'utf8').trim() })
    })
  })
  return { ...entry, stop: () => child.kill() }
}

const ASKS = [
  { title: 'tools/list', args: ['--method', 'tools/list'], holds: /"calculate"/ },
  { title: 'tools/call calculate', args: ['--method', 'tools/call', '--tool-name', 'calculate', '--tool-arg', 'expression=6 * 7'], holds: /\b42\b/ },
]

async function main() {
  const inspector = installInspector()
  if (!existsSync(BINARY)) spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-inspector-'))
  const dataDir = join(folder, 'data')
  const env = { ...process.env, ARROWHEAD_DATA_DIR: dataDir, MCP_CATALOG_PATH: join(folder, 'catalog.json') }
  const http = await startHttp(folder, env)
  // The Inspector hands a stdio server hardly any of its environment, hence the flag.
  const targets = [
    { title: 'stdio', before: [], after: ['--', process.execPath, BINARY, 'serve', '--data-dir', dataDir] },
    { title: 'HTTP', before: [http.url, '--header', `Authorization: Bearer ${http.token}`], after: [] },
  ]
  const failures = []
  let count = 0
  try {
    for (const era of ['modern', 'legacy']) {
      for (const { title: transport, before, after } of targets) {
        for (const { title, args, holds } of ASKS) {
          count += 1
          const ran = spawnSync(process.execPath, [inspector, '--cli', ...before, '--protocol-era', era, ...args, '-q', '--format', 'json', ...after], { cwd: folder, env, encoding: 'utf8', timeout: ASK_MS })
          if (ran.status === 0 && holds.test(ran.stdout)) continue
          // The token is this run's own, and the server that takes it ends with the run; it is left out all the same.
          const said = `${ran.stdout}${ran.stderr}`.replaceAll(http.token, '…').trim().slice(-600)
          failures.push(`${title} over ${transport}, ${era} era: exit ${ran.status}\n${said}`)
        }
      }
    }
  } finally {
    http.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const failure of failures) console.error(`FAILED  ${failure}\n`)
  console.log(`inspector ${count - failures.length}/${count}`)
  process.exitCode = failures.length === 0 ? 0 : 1
}

await main()
