// What must hold of the package before it is published: publint and attw have nothing to say, the tarball has the files
// that it should and no more, its licences are ones that may be passed on, and the bill of materials can be made.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAX_TARBALL_BYTES = 16_000_000
const LICENCES = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'PostgreSQL', 'MIT-0', 'Python-2.0', 'Zlib'])
const MAY_STAND_AT_THE_TOP = new Set(['dist', 'sandbox', 'deploy', 'docs', '.env.example', 'package.json', 'README.md', 'LICENSE'])
const problems = []
const run = (command, args) => spawnSync(command, args, { encoding: 'utf8', maxBuffer: 256_000_000 })
const bin = (name) => join('node_modules', '.bin', name)
const folder = mkdtempSync(join(tmpdir(), 'arrowhead-release-'))

function packed() {
  const { status, stdout, stderr } = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout.slice(stdout.indexOf('[')))[0]
}

function checkFiles({ files, size, unpackedSize }) {
  const strange = files.map(({ path }) => path).filter((path) => !MAY_STAND_AT_THE_TOP.has(path.split('/')[0]) || /\.(?:test|fixture|slow|soak)\.|\.map$|\.pem$|\.key$|(?:^|\/)\.env$/.test(path))
  if (strange.length > 0) problems.push(`does not belong into the package: ${strange.slice(0, 10).join(', ')}`)
  if (!files.some(({ path }) => path === 'LICENSE')) problems.push('the licence is missing')
  if (size > MAX_TARBALL_BYTES) problems.push(`the tarball has ${size} bytes, at most ${MAX_TARBALL_BYTES}`)
  console.log(`tarball: ${files.length} files, ${(size / 1e6).toFixed(1)} MB, unpacked ${(unpackedSize / 1e6).toFixed(1)} MB`)
}

function checkLint(tarball) {
  const publint = run(bin('publint'), ['--strict', tarball])
  if (publint.status !== 0) problems.push(`publint: ${publint.stdout}${publint.stderr}`)
  // Node.js reads these packages as modules; there is no CommonJS build, and that is meant.
  const attw = run(bin('attw'), [tarball, '--profile', 'esm-only', '--format', 'json'])
  const found = Object.values(JSON.parse(attw.stdout || '{}').problems ?? {}).flat()
  if (attw.status !== 0) problems.push(`attw: ${JSON.stringify(found).slice(0, 2000)}${attw.stderr}`)
  console.log(`publint ${publint.status === 0 ? 'ok' : 'FAILED'}, attw ${attw.status === 0 ? 'ok' : 'FAILED'}`)
}

/** Every package that comes along when this one is installed. */
function checkLicences() {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const shipped = Object.entries(lock).filter(([path, { dev, devOptional }]) => path.startsWith('node_modules/') && !dev && !devOptional)
  const counts = new Map()
  for (const [path, { license }] of shipped) {
    const said = license ?? (existsSync(join(path, 'package.json')) ? JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).license : undefined) ?? 'none'
    counts.set(said, (counts.get(said) ?? 0) + 1)
    // `A OR B` leaves the choice, `A AND B` asks for both.
    const isFine = String(said).replaceAll(/[()]/g, '').split(' OR ').some((choice) => choice.split(' AND ').every((one) => LICENCES.has(one.trim())))
    if (!isFine) problems.push(`${path}: licence ${said}`)
  }
  console.log(`licences of ${shipped.length} packages: ${[...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`).join(', ')}`)
}

function checkSbom() {
  const { status, stdout } = run('npm', ['sbom', '--omit=dev', '--sbom-format', 'cyclonedx', '--package-lock-only'])
  const components = status === 0 ? (JSON.parse(stdout).components ?? []) : []
  if (components.length === 0) problems.push('npm sbom made no bill of materials')
  console.log(`bill of materials: ${components.length} components`)
}

function checkChangelog() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  if (!/^## Unreleased$/m.test(readFileSync('CHANGELOG.md', 'utf8')) && !readFileSync('CHANGELOG.md', 'utf8').includes(`## ${version}`)) problems.push(`CHANGELOG.md says nothing of ${version}`)
}

try {
  const report = packed()
  const tarball = join(folder, report.filename)
  checkFiles(report)
  if (statSync(tarball).size > 0) checkLint(tarball)
  checkLicences()
  checkSbom()
  checkChangelog()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? 'ready' : `${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
