/**
 * Runs every contract suite on every adapter and writes docs/reference/adapters.md from that run. It wants engines for
 * all of them: `eval "$(scripts/test-services.sh start)"; npm run adapters`.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { rowOf, suitesIn } from '../test/adapters/suites.ts'
import type { Suite } from '../test/adapters/suites.ts'

const FOLDER = 'test/adapters'
const PAGE = 'docs/reference/adapters.md'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly ancestorTitles: readonly string[]; readonly fullName: string }[]
  }[]
}

/** A config of the soak takes the slow files too, and runs one file after the other. */
function run(files: readonly string[]): Report {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-adapters-'))
  const [config, report] = [join(process.cwd(), 'node_modules', '.cache', `adapters-${process.pid}.config.mjs`), join(folder, 'report.json')]
  writeFileSync(config, `import base from ${JSON.stringify(join(process.cwd(), 'vitest.soak.config.ts'))}
export default { ...base, root: ${JSON.stringify(process.cwd())}, test: { ...base.test, include: ${JSON.stringify(files.map((file) => `${FOLDER}/${file}`))}, reporters: ['default', 'json'], outputFile: { json: ${JSON.stringify(report)} } } }\n`)
  try {
    spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--config', config], { stdio: ['ignore', 2, 2] })
    return JSON.parse(readFileSync(report, 'utf8')) as Report
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(config, { force: true })
  }
}

const suites = suitesIn(FOLDER)
const { testResults } = run([...new Set(suites.map(({ file }) => file))])

/** What the tests of one suite came to, by status. */
function countsOf({ port, adapter, file }: Suite): ReadonlyMap<string, number> {
  const results = testResults.find(({ name }) => basename(name) === file)?.assertionResults ?? []
  const own = results.filter(({ ancestorTitles }) => ancestorTitles.some((title) => title.endsWith(` ${adapter}`) && title.toLowerCase().includes(port.split(' ')[0] ?? '')))
  const counts = new Map<string, number>()
  for (const { status } of own) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

const counted = suites.map((suite) => ({ suite, counts: countsOf(suite) }))
const unfit = counted.filter(({ counts }) => (counts.get('passed') ?? 0) === 0 || (counts.get('failed') ?? 0) > 0)
if (unfit.length > 0) {
  for (const { suite, counts } of unfit) console.error(`${suite.port} ${suite.adapter}: ${[...counts].map(([status, n]) => `${n} ${status}`).join(', ') || 'not run; is its engine there?'}`)
  process.exit(1)
}
writeFileSync(PAGE, `<!-- Made by \`npm run adapters\` from a run of the suites. Edit the tests, not this page. -->

# Adapters

Every state that more than one process shares is a port, and every adapter of a port is held to one suite of tests. This
page is written by a run in which all of them passed; a test compares its rows with the test files. [Scale](../guides/scale.md)
says which adapter a deployment gets.

| contract | adapter | tests passed | in \`test/adapters/\` |
|---|---|---|---|
${counted.map(({ suite, counts }) => rowOf(suite, counts.get('passed') ?? 0)).join('\n')}
`)
console.log(`written: ${PAGE}`)
