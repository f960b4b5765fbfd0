// Builds an MCP bundle (`.mcpb`) from `dist` for this platform, then unpacks it and talks to the server in it as a client
// would. Usage: npm run mcpb -- [OUT]
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { PACKAGES_APART } from './workers.mjs'

const { name, version, description, license } = JSON.parse(readFileSync('package.json', 'utf8'))
const out = resolve(process.argv[2] ?? `${name}-${version}-${process.platform}-${process.arch}.mcpb`)
if (!existsSync('dist/bin/arrowhead.js')) throw new Error('run `npm run build` first')
const work = mkdtempSync(join(tmpdir(), 'arrowhead-mcpb-'))
const bundle = join(work, 'bundle')

const manifest = {
  manifest_version: '0.3', name, display_name: 'Arrowhead', version, description, license,
  author: { name: 'The Arrowhead project' },
  server: {
    type: 'node', entry_point: 'dist/bin/arrowhead.js',
    mcp_config: { command: 'node', args: ['${__dirname}/dist/bin/arrowhead.js', 'serve'], env: { ARROWHEAD_JAIL_ROOT: '${user_config.folder}', ARROWHEAD_DOCS_ROOT: '${user_config.documents}', ARROWHEAD_PROFILE: '${user_config.profile}' } },
  },
  user_config: {
    folder: { type: 'directory', title: 'Folder', description: 'The one folder that read_file serves', required: true, default: '${HOME}/Documents' },
    documents: { type: 'directory', title: 'Documents', description: 'The folder of documents to search and to write', required: true, default: '${HOME}/Documents' },
    profile: { type: 'string', title: 'Profile', description: 'core, docs, coding or full', required: false, default: 'docs' },
  },
  tools_generated: true, prompts_generated: true,
  compatibility: { platforms: [process.platform], runtimes: { node: '>=20.12.0' } },
}

/** The packages that the executable leaves outside, with all that they need. */
function closure(roots) {
  const lock = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages
  const found = new Set()
  const visit = (wanted, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = at === '' ? `node_modules/${wanted}` : `${at}/node_modules/${wanted}`
      const entry = lock[path]
      if (entry) {
        if (found.has(path) || !existsSync(path)) return
        found.add(path)
        for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) visit(next, path)
        return
      }
      if (at === '') return
    }
  }
  for (const root of roots) visit(root, '')
  return [...found]
}

function assemble() {
  mkdirSync(bundle)
  for (const path of ['dist/bin', 'dist/grammars', 'dist/postgres-template.tgz', 'LICENSE', ...closure(PACKAGES_APART)]) {
    if (!existsSync(path)) continue
    mkdirSync(dirname(join(bundle, path)), { recursive: true })
    cpSync(path, join(bundle, path), { recursive: true, filter: (from) => !/\.map$|\/(?:test|tests|\.github)$/.test(from) })
  }
  writeFileSync(join(bundle, 'package.json'), JSON.stringify({ name, version, type: 'module', license }))
  writeFileSync(join(bundle, 'manifest.json'), JSON.stringify(manifest, null, 2))
}

function mcpb(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/@anthropic-ai/mcpb/dist/cli/cli.js', ...args], { encoding: 'utf8', maxBuffer: 64_000_000 })
  if (status !== 0) throw new Error(`mcpb ${args[0]}: ${stdout}${stderr}`)
  return stdout
}

/** Starts the server as the manifest says, and makes one call. */
async function tryOut(folder) {
  const { server } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const home = join(work, 'home')
  mkdirSync(join(home, 'Documents'), { recursive: true })
  writeFileSync(join(home, 'Documents', 'note.txt'), 'from the bundle')
  const filled = (text) => text.replaceAll('${__dirname}', folder).replaceAll('${user_config.profile}', 'docs').replaceAll(/\$\{user_config\.\w+\}/g, join(home, 'Documents'))
  const child = spawn(process.execPath, server.mcp_config.args.map(filled), { cwd: home, stdio: ['pipe', 'pipe', 'inherit'], env: { HOME: home, PATH: process.env.PATH, ...Object.fromEntries(Object.entries(server.mcp_config.env).map(([key, text]) => [key, filled(text)])) } })
  let said = ''
  const answered = new Promise((done, failed) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
      if (said.split('\n').some((line) => line.includes('"id":3'))) done()
    })
    child.once('exit', () => failed(new Error(`the server ended: ${said}`)))
  })
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'check', version: '0' } } })
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/list' })
  send({ id: 3, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'note.txt' } } })
  await answered
  child.stdin.end()
  const answers = said.trim().split('\n').map((line) => JSON.parse(line))
  const tools = answers.find(({ id }) => id === 2).result.tools.length
  if (!JSON.stringify(answers.find(({ id }) => id === 3)).includes('from the bundle')) throw new Error(`the bundle reads nothing: ${said}`)
  return tools
}

try {
  assemble()
  mcpb('validate', join(bundle, 'manifest.json'))
  rmSync(out, { force: true })
  mcpb('pack', bundle, out)
  mcpb('unpack', out, join(work, 'unpacked'))
  const tools = await tryOut(join(work, 'unpacked'))
  console.log(`${out}: ${(statSync(out).size / 1e6).toFixed(1)} MB, valid, unpacked and asked: ${tools} tools, a file was read`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
