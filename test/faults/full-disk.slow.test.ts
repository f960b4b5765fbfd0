/**
 * A full disk under a server that keeps everything on it: each call ends in success or a clear refusal, what was
 * acknowledged is there, and when there is room again all is well without a restart.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyTrail } from '../../src/services/audit/index.ts'
import { openDeployment } from '../replicas/deployment.ts'
import type { Deployment, Replica } from '../replicas/deployment.ts'
import { modernCall } from '../replicas/wire.ts'
import { isOk, saidOf } from './load.ts'

/** A small file system of its own; undefined where none may be mounted. */
function mountSmall(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}

const place = mountSmall()
if (place === undefined) {
  describe('a full disk', () => {
    it.skip('is tested where a file system can be mounted (as root, with CAP_SYS_ADMIN)', () => {})
  })
} else describe('a full disk', () => tests(place))

const MANY = '1000000'
const CALLS: readonly ((mark: string) => readonly [string, object])[] = [
  (mark) => ['kv_set', { key: mark, value: mark.repeat(20) }],
  (mark) => ['memory_store', { namespace: 'full', content: `memory ${mark} ${'x'.repeat(500)}`, metadata: {} }],
  (mark) => ['task_schedule', { delay_seconds: 3_600, payload: { mark } }],
  (mark) => ['doc_write', { path: `${mark}.md`, content: mark.repeat(50) }],
  () => ['calculate', { expression: '1+1' }],
]

function tests(folder: string): void {
  let deployment: Deployment
  let server: Replica
  const filler = join(folder, 'filler')

  beforeAll(async () => {
    for (const name of ['documents', 'memory']) mkdirSync(join(folder, name))
    deployment = await openDeployment({
      ARROWHEAD_DATA_DIR: join(folder, 'data'), ARROWHEAD_MEMORY_ROOT: join(folder, 'memory'), ARROWHEAD_DOCS_ROOT: join(folder, 'documents'),
      ...Object.fromEntries(['KV_SET', 'KV_GET', 'MEMORY_STORE', 'TASK_SCHEDULE', 'CALCULATE', 'DOC_WRITE', 'DOC_READ'].map((name) => [`ARROWHEAD_${name}_PER_MINUTE`, MANY])),
    })
    server = await deployment.start()
  })
  afterAll(async () => {
    await deployment?.remove()
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })

  let marks = 0
  const round = async (calls: number): Promise<readonly { readonly tool: string; readonly mark: string; readonly said: string }[]> => {
    const noted: { tool: string; mark: string; said: string }[] = []
    for (let n = 0; n < calls; n += 1) {
      const mark = `mark-${(marks += 1)}`
      const [tool, args] = CALLS[n % CALLS.length]?.(mark) ?? ['', {}]
      const answer = await modernCall(server.url, tool, args)
      noted.push({ tool, mark, said: isOk(answer) ? 'ok' : saidOf(answer) })
    }
    return noted
  }
  const fill = (): void => {
    const { bavail, bsize } = statfsSync(folder)
    try {
      writeFileSync(filler, Buffer.alloc(bavail * bsize))
    } catch {
      // Full is full.
    }
  }
  const expectKept = async (noted: readonly { readonly tool: string; readonly mark: string; readonly said: string }[]): Promise<void> => {
    for (const { tool, mark } of noted.filter(({ said }) => said === 'ok')) {
      if (tool === 'kv_set') expect(saidOf(await modernCall(server.url, 'kv_get', { key: mark }))).toContain(mark.repeat(20))
      if (tool === 'doc_write') expect(saidOf(await modernCall(server.url, 'doc_read', { path: `${mark}.md` }))).toContain(mark.repeat(50))
    }
  }

  it('refuses clearly, keeps what it acknowledged, and goes on when there is room', async () => {
    const before = await round(10)
    expect(before.filter(({ said }) => said !== 'ok')).toEqual([])
    fill()
    const during = await round(50)
    expect([...new Set(during.map(({ tool, said }) => `${tool} ${said.includes('disk.full: ') ? 'disk.full' : said}`))]).toEqual(['kv_set disk.full', 'memory_store disk.full', 'task_schedule disk.full', 'doc_write disk.full', 'calculate ok'])
    await expectKept(before)
    expect([server.child.exitCode, server.child.signalCode]).toEqual([null, null])
    rmSync(filler)
    await expect.poll(async () => (await round(5)).filter(({ said }) => said !== 'ok'), { timeout: 60_000 }).toEqual([])
    const after = await round(20)
    await expectKept([...during, ...after])
    await server.end('SIGTERM')
    expect(verifyTrail({ file: join(folder, 'data', 'audit.sqlite') })).toMatchObject({ ok: true })
  })
}
