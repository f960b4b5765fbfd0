/** `scripts/loadtest.mjs` against a running server: what it counts is what happened. */

import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDeployment, type Deployment, type Replica } from '../replicas/deployment.ts'
import { ROOT } from '../process/built-binary.ts'

let deployment: Deployment
let replica: Replica
beforeAll(async () => {
  deployment = await openDeployment({ ARROWHEAD_CALCULATE_PER_MINUTE: '30' })
  replica = await deployment.start()
})
afterAll(() => deployment?.remove())

const load = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/loadtest.mjs', ...args], { cwd: ROOT, encoding: 'utf8' })
  return { status, stdout, stderr }
}
const base = (): string => replica.url.replace(/\/mcp$/, '')

describe('the load test', () => {
  test('tells how many calls were answered and how many were limited', () => {
    const { status, stdout } = load(base(), '80', '--json')
    const report = JSON.parse(stdout) as Readonly<Record<string, number>>
    expect(report).toMatchObject({ health: 200, ready: 200, calls: 80, failed: 0, unreachable: 0, 'not let in': 0 })
    expect(report['ok']).toBeGreaterThanOrEqual(30)
    expect(report['limited']).toBeGreaterThan(0)
    expect((report['ok'] ?? 0) + (report['limited'] ?? 0)).toBe(80)
    expect(status).toBe(0)
  })

  test('fails where nobody answers, and where it is used wrongly', () => {
    expect(load('http://127.0.0.1:9', '3')).toMatchObject({ status: 1, stdout: expect.stringContaining('health unreachable') })
    for (const args of [[], ['x', '3'], [base(), '0'], [base(), '3', '--token-env', 'NO_SUCH_VARIABLE']]) expect(load(...args).status).toBe(2)
  })
})
