import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { BROKEN_GUARDS } from './broken-guards.ts'

interface Report {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[] }[]
}

const testOf = (file: string): string => (file.startsWith('commands/') ? 'policy/commands/judge-command.test.ts' : `policy/${file.replace(/\.ts$/, '.test.ts')}`)

it('each guard of the policy is missed by a test when it is gone', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-broken-')))
  try {
    symlinkSync(resolve('node_modules'), join(base, 'node_modules'))
    writeFileSync(join(base, 'package.json'), '{"type":"module"}')
    for (const [index, { file, guard, without }] of BROKEN_GUARDS.entries()) {
      for (const part of ['kernel', 'policy']) cpSync(join('src', part), join(base, `${index}`, part), { recursive: true, filter: (from) => !from.endsWith('.test.ts') || from.endsWith(testOf(file)) })
      const at = join(base, `${index}`, 'policy', file)
      const parts = readFileSync(at, 'utf8').split(guard)
      expect([file, guard, parts.length]).toEqual([file, guard, 2])
      writeFileSync(at, parts.join(without))
    }
    writeFileSync(join(base, 'vitest.config.mjs'), 'export default { test: { include: ["**/*.test.ts"], pool: "threads", maxWorkers: 2, isolate: false, testTimeout: 120000 } }')
    const { stdout } = spawnSync(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', base, '--reporter', 'json'], { cwd: base, encoding: 'utf8', maxBuffer: 200_000_000, timeout: 1_200_000 })
    const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report
    const unnoticed = BROKEN_GUARDS.flatMap(({ file, guard, caughtBy }, index) => {
      const failed = testResults.filter(({ name }) => name.startsWith(join(base, `${index}`, '/'))).flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'failed')
      return failed.some(({ fullName }) => fullName.includes(caughtBy)) ? [] : [`${file} without ${guard.slice(0, 60)}: ${failed.map(({ fullName }) => fullName).join('; ') || 'nothing failed'}`]
    })
    console.log(`${BROKEN_GUARDS.length} guards were taken out, ${BROKEN_GUARDS.length - unnoticed.length} are missed by their test`)
    expect(unnoticed).toEqual([])
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}, 1_500_000)
