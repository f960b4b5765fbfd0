/** Documents as the SDK's clients use them, in both eras and over both transports, on a real folder. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createArrowhead } from '../../src/doors/library/create-arrowhead.ts'
import type { Arrowhead } from '../../src/doors/library/create-arrowhead.ts'
import { CLIENTS } from './clients.ts'
import type { ClientKind, Person, SdkClient, Seen } from './clients.ts'
import { openHttp } from './http-server.ts'

const YES: Person = () => ({ action: 'accept', content: { approve: true } })
const NO: Person = () => ({ action: 'decline' })
const PLAN = 'notes/plan.md'
const OVERWRITE = { path: PLAN, content: '# Plan B\n', overwrite: true }

let folder: string
let house: Arrowhead
const atEnd: (() => Promise<unknown>)[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-documents-'))
  mkdirSync(join(folder, 'documents', 'notes'), { recursive: true })
  writeFileSync(join(folder, 'documents', PLAN), '# Plan A\n\n<b>bold</b> deadline\n')
  house = createArrowhead(
    { docsRoot: join(folder, 'documents'), dangerouslyAllowInsecureHttp: true, rateLimitEnabled: false },
    { dataDir: join(folder, 'data') },
  )
})
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end()
  await house.close()
  rmSync(folder, { recursive: true, force: true })
})

const onDisk = (): string => readFileSync(join(folder, 'documents', PLAN), 'utf8')

const WAYS = CLIENTS.flatMap((kind) => (['pipe', 'http'] as const).map((by) => ({ ...kind, by })))
type Way = ClientKind & { readonly by: 'pipe' | 'http' }

async function connect({ open, by }: Way, person?: Person): Promise<SdkClient> {
  if (by === 'pipe') return open({ by, app: house.app }, person)
  const server = await openHttp(house.app)
  atEnd.push(() => server.close())
  return open({ by, url: server.url }, person)
}

const codeOf = (seen: Seen): string => (seen.is === 'refused' ? seen.code : seen.is)

describe.each(WAYS)('$name by $by', (way) => {
  const connected = async (person?: Person): Promise<SdkClient> => {
    const client = await connect(way, person)
    atEnd.push(() => client.close())
    return client
  }

  it('searches, reads by tool and by resource, and completes a path', async () => {
    const client = await connected()
    expect(await client.call('doc_search', { query: 'DEADLINE' })).toMatchObject({ is: 'ok', value: { match_count: 1, matches: [{ path: PLAN, line: 3 }] } })
    expect(await client.call('doc_read', { path: PLAN })).toMatchObject({ is: 'ok', value: { content: expect.stringContaining('bold deadline') } })
    expect(await client.read(`doc://${PLAN}`)).toMatchObject({ is: 'ok', value: [expect.stringContaining('bold deadline')] })
    expect(await client.complete('resource', 'doc://{+path}', 'path', 'no')).toEqual({ is: 'ok', value: [PLAN] })
    expect(await client.prompt('summarize_document', { path: PLAN })).toMatchObject({ is: 'ok', value: [expect.stringContaining(`doc://${PLAN}`)] })
  })

  it('replaces a document after a yes to a question that shows the difference', async () => {
    const shown: string[] = []
    const client = await connected((message) => {
      shown.push(message)
      return YES(message)
    })
    expect(await client.call('doc_write', OVERWRITE)).toMatchObject({ is: 'ok', value: { created: false, size: 9 } })
    expect(shown).toHaveLength(1)
    expect(shown[0]).toContain('-# Plan A')
    expect(shown[0]).toContain('+# Plan B')
    expect(onDisk()).toBe('# Plan B\n')
  })

  it('keeps it after a no', async () => {
    const client = await connected(NO)
    expect(codeOf(await client.call('doc_write', OVERWRITE))).toBe('consent.declined')
    expect(onDisk()).toContain('Plan A')
  })

  it('lets the flag stand in for a client that cannot ask', async () => {
    const client = await connected()
    expect(codeOf(await client.call('doc_write', { ...OVERWRITE, overwrite: false }))).toBe('file.exists')
    expect(await client.call('doc_write', OVERWRITE)).toMatchObject({ is: 'ok', value: { created: false } })
    expect(onDisk()).toBe('# Plan B\n')
  })

  it('creates documents without a question, and refuses paths that lead out', async () => {
    const client = await connected(NO)
    expect(await client.call('doc_write', { path: 'new/deep/a.md', content: 'x' })).toMatchObject({ is: 'ok', value: { created: true } })
    expect(codeOf(await client.call('doc_write', { path: '../out.md', content: 'x' }))).toBe('path.invalid')
    expect(codeOf(await client.call('doc_write', { path: 'a.exe', content: 'x' }))).toBe('path.invalid')
    expect(existsSync(join(folder, 'out.md'))).toBe(false)
  })
})
