// Runs the official MCP conformance suite against this package's stateless HTTP endpoint (test/conformance/server.ts), once
// for each protocol era and without a list of expected failures. Prints `37/37`, `30/30`, and `9/9` for the tasks extension; exits 1 otherwise.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const SUITE = '@modelcontextprotocol/conformance'
const VERSION = '0.2.0-alpha.12'
/** Over a hundred packages that nothing else needs: fetched on first use, and nothing of them is run while they are. */
const HOME = resolve('node_modules', '.cache', 'conformance')
const INSTALLED = join(HOME, 'node_modules', SUITE)
/** Protocol revisions, and how many scenarios each requires of a server. */
const BARS = [['2026-07-28', 37], ['2025-11-25', 30]]
/** Scenarios of the tasks extension, which no revision requires; one more needs notifications, and never applies. */
const TASKS_BAR = 9
const START_MS = 60_000
const RUN_MS = 300_000

function installSuite() {
  const manifest = join(INSTALLED, 'package.json')
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === VERSION) return
  mkdirSync(HOME, { recursive: true })
  writeFileSync(join(HOME, 'package.json'), '{"private":true}\n')
  const npm = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${SUITE}@${VERSION}`], { cwd: HOME, stdio: ['ignore', 'ignore', 'inherit'] })
  if (npm.status !== 0) throw new Error(`${SUITE}@${VERSION} cannot be installed`)
}

const freePort = () =>
  new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

/** The server under test, in a process of its own that ends when its input does. */
async function startServer() {
  const child = spawn(process.execPath, ['scripts/run-ts.mjs', 'test/conformance/server.ts', String(await freePort())], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((done) => child.once('exit', done))
  let said = ''
  child.stdout.setEncoding('utf8')
  const url = await new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('the server did not start')), START_MS)
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)))
    child.stdout.on('data', (chunk) => {
      said += chunk
      const [, at] = /^listening on (\S+)$/m.exec(said) ?? []
      if (at === undefined) return
      clearTimeout(timer)
      done(at)
    })
  })
  return {
    url,
    stop() {
      child.stdin.end()
      return ended
    },
  }
}

/** The scenarios that a revision scores servers by. */
function requiredOf(revision) {
  const [, list = ''] = /^server:\n((?: {2}- \S+\n)+)/m.exec(readFileSync(join(INSTALLED, 'requirements', `${revision}.yaml`), 'utf8')) ?? []
  return list.trim().split('\n').map((line) => line.replace(/^\s*- /, ''))
}

/** What each scenario came to: the checks that it wrote down. */
function runSuite(url, revision, folder) {
  const args = ['--import', resolve('scripts', 'conformance-node20.mjs'), join(INSTALLED, 'dist', 'index.js'), 'server', '--url', url, '--requirements', revision, '--output-dir', folder]
  const ran = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: RUN_MS, maxBuffer: 100_000_000 })
  if (ran.error) throw ran.error
  const results = new Map()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? []
    const file = join(folder, name, 'checks.json')
    if (scenario !== undefined && existsSync(file)) results.set(scenario, JSON.parse(readFileSync(file, 'utf8')))
  }
  return { results, status: ran.status }
}

const ofStatus = (checks, status) => checks.filter((check) => check.status === status)

/** A scenario without one success shows nothing. */
function verdictOn(checks = []) {
  if (ofStatus(checks, 'FAILURE').length > 0 || checks.length === 0) return 'fails'
  return ofStatus(checks, 'SUCCESS').length > 0 ? 'passes' : 'does not apply'
}

function report(revision, bar, { results, status }) {
  const required = requiredOf(revision)
  const passed = required.filter((scenario) => verdictOn(results.get(scenario)) === 'passes')
  const checks = required.flatMap((scenario) => results.get(scenario) ?? [])
  for (const scenario of required) {
    if (passed.includes(scenario)) continue
    console.log(`FAILED  ${scenario}`)
    for (const { id, errorMessage } of ofStatus(results.get(scenario) ?? [], 'FAILURE')) console.log(`        ${id}: ${errorMessage}`)
  }
  for (const { id, errorMessage } of ofStatus(checks, 'WARNING')) console.log(`warning ${id}: ${errorMessage}`)
  for (const verdict of ['passes', 'does not apply', 'fails']) {
    const beside = [...results].filter(([scenario, own]) => !required.includes(scenario) && verdictOn(own) === verdict).map(([scenario]) => scenario)
    if (beside.length > 0) console.log(`not scored, ${verdict}: ${beside.join(', ')}`)
  }
  const [good, skipped] = ['SUCCESS', 'SKIPPED'].map((outcome) => ofStatus(checks, outcome).length)
  console.log(`${revision}: ${passed.length}/${required.length} (${good} checks passed, ${skipped} not applicable)\n`)
  return status === 0 && required.length === bar && passed.length === bar && (revision !== BARS[0][0] || reportTasks(results))
}

function reportTasks(results) {
  const good = [...results].filter(([scenario, checks]) => scenario.startsWith('tasks-') && verdictOn(checks) === 'passes')
  console.log(`tasks extension: ${good.length}/${TASKS_BAR}\n`)
  return good.length === TASKS_BAR
}

async function main() {
  installSuite()
  const server = await startServer()
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-conformance-'))
  try {
    const verdicts = BARS.map(([revision, bar]) => report(revision, bar, runSuite(server.url, revision, join(folder, revision))))
    process.exitCode = verdicts.every(Boolean) ? 0 : 1
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
