import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { answering } from './answering.fixture.ts'
import { diagnoseClock, diagnoseCorpus, diagnoseDisk } from './diagnose-ground.ts'

const folder = mkdtempSync(join(tmpdir(), 'arrowhead-ground-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let close = (): void => {}
afterEach(() => close())

const settings = (more: object = {}): Settings => loadSettings({ file: JSON.stringify(more) }).values

describe('what doctor says of the disk', () => {
  const place = { dataDir: join(folder, 'not', 'there'), cwd: folder }

  it('is how much is free, also below a folder that is yet to be made', () => {
    expect(diagnoseDisk(settings(), place)).toMatchObject({ what: expect.stringMatching(/\d+ MB free below/) })
  })

  it.each([
    [5_000_000_000, 100_000, 'ok'], [5_000_000_000, undefined, 'ok'], [500_000_000, 100_000, 'warn'], [5_000_000_000, 3, 'warn'], [1_000_000, 100_000, 'fail'],
  ])('with %s bytes and %s files free is %s', (freeBytes, freeFiles, state) => {
    expect(diagnoseDisk(settings(), place, () => ({ freeBytes, freeFiles }))).toMatchObject({ state })
  })

  it('is that of the fullest of the folders that are written', () => {
    expect(diagnoseDisk(settings({ docsRoot: '/documents' }), place, (at) => ({ freeBytes: at === '/documents' ? 1 : 1e12, freeFiles: undefined }))).toMatchObject({ state: 'fail', what: expect.stringContaining('/documents') })
  })
})

describe('what doctor says of the documents', () => {
  it('is that they can be read and written', () => {
    mkdirSync(join(folder, 'documents'))
    expect(diagnoseCorpus(settings({ docsRoot: 'documents' }), folder)).toMatchObject({ state: 'ok', what: expect.stringContaining('read and written') })
  })

  it('is that their folder is none', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(diagnoseCorpus(settings({ docsRoot: 'file' }), folder)).toMatchObject({ state: 'fail' })
  })

  it('is nothing where another check says that it is missing', () => {
    expect(diagnoseCorpus(settings({ docsRoot: 'nowhere' }), folder)).toMatchObject({ state: 'ok' })
  })
})

describe('what doctor says of the clock', () => {
  const THEIRS = 1_800_000_000_000

  it.each([[0, 'ok'], [4_000, 'ok'], [-10_000, 'warn'], [60_000, 'fail'], [-60_000, 'fail']])('that is %d ms off is %s', async (off, state) => {
    const server = await answering(() => ({ headers: { date: new Date(THEIRS).toUTCString() } }))
    close = server.close
    expect(await diagnoseClock(settings({ transport: 'http', dangerouslyAllowInsecureHttp: true, serverPublicUrl: server.url }), () => THEIRS + off)).toMatchObject({ state })
  })

  it('is nothing where no server is named, where it does not answer, and where it does not say', async () => {
    const server = await answering(() => ({ headers: { date: 'today' } }))
    const named = settings({ transport: 'http', dangerouslyAllowInsecureHttp: true, serverPublicUrl: server.url })
    expect(await diagnoseClock(settings())).toMatchObject({ state: 'ok' })
    expect(await diagnoseClock(named)).toMatchObject({ state: 'ok', what: expect.stringContaining('does not say') })
    server.close()
    expect(await diagnoseClock(named)).toMatchObject({ state: 'ok', what: expect.stringContaining('cannot be asked') })
  })
})
