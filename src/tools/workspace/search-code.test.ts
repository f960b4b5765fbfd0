import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCodeIndex } from '../../services/code-index/index.ts'
import { indexFile } from '../../app/workspace.ts'
import { openWorkspaceWorld } from './workspace.fixture.ts'
import type { WorkspaceWorld, WorldOptions } from './workspace.fixture.ts'

let world: WorkspaceWorld
const open = async (options: WorldOptions): Promise<void> => {
  world = await openWorkspaceWorld(options)
}

const SESSION = 'import x from "y"\n\n/** Asks for a new one. */\nexport async function refreshSessionToken(session: Session): Promise<Token> {\n  const grant = 1\n  const two = 2\n  const three = 3\n  const four = 4\n  return grant\n}\n'

/** Put together here, so that no scanner takes this file for a leak. */
const KEY = ['gh', 'p_7SRW6Wnx9GVgDdvJOdmxrCw7jOo4DUPzMKZT'].join('')
const BOX = 'export class NeedleBox {\n  needleWay() {\n  }\n}\nexport const needleNumber = 1\n'
/** One tree for what only looks; each test has words of its own in it. */
const FILES = {
  'src/auth/session.ts': SESSION, 'src/wide.ts': `// x\nexport function wideOne() {\n  return '${'y'.repeat(1_000)}'\n}\n`,
  'notes.txt': 'pebble in plain text\nsecond\n', 'one.ts': 'export function onlyPebble() {\n  return 42\n}',
  'many.ts': Array.from({ length: 60 }, (_, at) => `export const needle${at} = ${at}\n`).join(''),
  'a/x.ts': BOX, 'b/x.ts': BOX, 'a.ts': 'export const needle = 1\n', '.env.ts': 'export const needle = 2\n', 'server.key': 'needle',
  'src/leaky.ts': `// x\nconst gravelKey = "${KEY}"\nconst b = 1\n`, [`src/${KEY}.ts`]: '// x\nexport const gravelOther = 1\n',
}

describe('search_code over one tree', () => {
  beforeAll(() => open({ files: FILES }))
  afterAll(() => world.close())

  it.each(['../x', 'a/../b', '..', '/etc', 'C:/x', 'c:', '\\x', 'a\\b', 'a\0', '~/x', 'a\nb'])('refuses the path %j before anything is looked at', async (path) => {
    expect(await world.call('search_code', { query: 'a', path })).toMatchObject({ is: 'refused', refusal: { code: 'input.invalid' } })
  })

  it.each([[{ query: '' }], [{ query: ' ' }], [{ query: 'x'.repeat(201) }], [{ query: 'x', kind: 'klass' }], [{ query: 'x', kind: [] }], [{ query: 'x', detail: 'full' }], [{ query: 'x', limit: 1.5 }], [{ query: 'x', cwd: '/' }]])('refuses %j', async (args) => {
    expect(await world.call('search_code', args)).toMatchObject({ is: 'refused', refusal: { code: 'input.invalid' } })
  })

  it('gives the address of a declaration and the line that names it, and nothing of its body', async () => {
    expect(await world.search('refresh token')).toEqual([
      'src/auth/session.ts:4 export async function refreshSessionToken(session: Session): Promise<Token>',
    ])
  })

  it('gives at most four lines and 320 characters of it where snippets are asked for', async () => {
    const lines = await world.search('refreshSessionToken', { detail: 'snippets' })
    expect(lines.slice(0, 4)).toEqual(['src/auth/session.ts:4 export async function refreshSessionToken(session: Session): Promise<Token> {', '      const grant = 1', '      const two = 2', '      const three = 3'])
    expect(lines.join('\n')).not.toContain('four')
    const wide = await world.search('wideOne', { detail: 'snippets', path: 'src/wide.ts' })
    expect(wide.join('\n').length).toBeLessThan(360)
  })

  it('shows nothing of a chunk that is a whole file', async () => {
    expect(await world.search('pebble', { detail: 'snippets' })).toEqual(['one.ts:1 export function onlyPebble()', 'notes.txt:1 file'])
  })

  it('clamps the limit', async () => {
    expect(await world.search('needle', { limit: 1_000, path: 'many.ts' })).toHaveLength(50)
    expect(await world.search('needle', { limit: -3 })).toHaveLength(1)
  })

  it('looks below a folder, in one file, and for kinds', async () => {
    expect((await world.search('needle', { path: 'a' })).every((line) => line.startsWith('a/x.ts:'))).toBe(true)
    expect(await world.search('needle', { path: './b/x.ts', kind: ['method'] })).toEqual(['b/x.ts:2 needleWay()'])
    expect(await world.search('needle', { path: 'c' })).toEqual([])
  })

  it('says with every answer that files are filtered, how fresh it is, and never how many', async () => {
    for (const query of ['needle', 'nothing']) {
      const outcome = await world.call('search_code', { query })
      expect(outcome).toMatchObject({ is: 'ok', answer: { value: { filter: 'Credential-shaped files are filtered from every answer.', index: expect.stringMatching(/^complete as of \d{4}-\d\d-\d\dT/) } } })
      expect(Object.keys(outcome.is === 'ok' ? outcome.answer.value : {})).toEqual(['notice', 'below', 'shown', 'more', 'index', 'filter'])
    }
  })

  it('takes credentials out of what it shows, names of files too', async () => {
    for (const detail of ['signatures', 'snippets']) {
      const outcome = await world.call('search_code', { query: 'gravel', detail })
      expect(JSON.stringify(outcome)).not.toContain(KEY.slice(4, 20))
      expect(JSON.stringify(outcome)).toContain('gravelOther')
    }
  })
})

describe('search_code', () => {
  afterEach(() => world.close())

  it('is at most two kilobytes on the wire by default, whatever the tree is named', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`src/${'folder-with-a-long-name/'.repeat(at % 4)}module-${at}.ts`, `import x from "y"\nexport async function refreshNeedleNumber${at}(session: ${'Session & '.repeat(30)}object): Promise<Token> {\n}\nexport const zzz${at} = 1\n`]))
    await open({ files })
    const outcome = await world.call('search_code', { query: 'refresh needle number' })
    const text = outcome.is === 'ok' ? JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(outcome.answer.value) }, ...outcome.answer.blocks], structuredContent: outcome.answer.value }) : ''
    expect(text.length).toBeGreaterThan(1_000)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048)
  })

  it('answers from the tree as it is after a change', async () => {
    await open({ files: { 'a.ts': 'export const first = 1\n' } })
    expect(await world.search('second')).toEqual([])
    world.put('a.ts', 'export const second = 2\n')
    world.put('new/b.ts', '// x\nexport const secondMore = 2\n')
    await expect.poll(() => world.search('second'), { timeout: 5_000 }).toEqual(['a.ts:1 export const second = 2', 'new/b.ts:2 export const secondMore = 2'])
    rmSync(join(world.cwd, 'a.ts'))
    await expect.poll(() => world.search('second'), { timeout: 5_000 }).toEqual(['new/b.ts:2 export const secondMore = 2'])
  })

})

describe('files that nobody is shown', () => {
  afterEach(() => world.close())

  const HIDDEN = ['.env', 'keys/id_rsa', '.arrowhead/config.md', 'deep/er/.arrowhead/agents/x.md', '.ssh/notes.md', 'data/own.md', '.ARROWHEAD/x.md', 'credentials.json', 'denied/plain.ts']
  const SHOWN = { 'src/a.ts': 'export const needleOne = 1\n', 'src/b.ts': '// x\nexport const needleTwo = 2\n' }
  const RULES = JSON.stringify({ permissions: [{ tool: 'read', action: 'deny', path: 'denied/**' }, { tool: 'write', action: 'allow', path: '**' }] })

  /** An index that an older walk filled with everything. */
  async function fillIndex(base: string, root: string, hidden: readonly string[]): Promise<void> {
    const index = createCodeIndex({ file: indexFile(base, root), clock: { now: () => 0, ticks: () => 0 }, holdsCredentials: () => false })
    const chunk = (path: string) => ({ name: `needle${path.length}`, kind: 'constant', container: '', signature: 'needle', doc: 'needle needle', body: 'needle', startLine: 1, endLine: 1 })
    await index.change(hidden.map((path) => ({ path, contentHash: 'x', chunks: () => [chunk(path), chunk(`${path}2`)] })))
    index.close()
  }

  const everything = async (): Promise<unknown> => {
    const answers: unknown[] = []
    for (const query of ['needle', 'needleOne', 'needle one', 'neddle', 'nothing']) {
      for (const limit of [1, 2, 20]) {
        const outcome = await world.call('search_code', { query, limit })
        answers.push(outcome.is === 'ok' ? { ...outcome.answer.value, index: '', lines: await world.search(query, { limit }) } : outcome.is)
      }
    }
    return answers
  }

  it('take no place, move no number and change no order, whatever the index holds', async () => {
    await open({ files: SHOWN, dataDir: 'data' })
    const without = await everything()
    await world.close()
    const files = { ...SHOWN, '.arrowhead/config.json': RULES }
    await open({ files, dataDir: 'data', plant: (cwd) => {
      for (const path of HIDDEN) {
        mkdirSync(dirname(join(cwd, path)), { recursive: true })
        writeFileSync(join(cwd, path), 'export const needleHidden = 3\n')
      }
    } })
    await world.search('needle')
    await fillIndex(world.dataDir, world.cwd, HIDDEN)
    expect(await everything()).toEqual(without)
    expect(world.lines.filter(({ event }) => event === 'withheld').length).toBeGreaterThan(0)
  })

  it('are the only ones that a link to a folder does not lead to', async () => {
    await open({ files: SHOWN, plant: (cwd) => {
      symlinkSync('src', join(cwd, 'alias'))
      symlinkSync('../alias', join(cwd, 'src/chain'))
    } })
    const plain = await world.search('needle', { path: 'src' })
    expect(plain.length).toBeGreaterThan(0)
    for (const path of ['alias', 'alias/', './alias', 'src/chain', 'src/chain/chain']) expect([path, await world.search('needle', { path })]).toEqual([path, plain])
    expect(await world.call('search_code', { query: 'needle', path: 'alias' })).toMatchObject({ is: 'ok', answer: { value: { below: 'src' } } })
  })

  it('are not found by asking for their place', async () => {
    await open({ files: { ...SHOWN, '.arrowhead/config.json': RULES, '.env': 'needle=1', 'denied/plain.ts': 'export const needleHidden = 3\n' }, plant: (cwd) => {
      symlinkSync('../.env', join(cwd, 'src/link.ts'))
      symlinkSync('/etc', join(cwd, 'src/out'))
      symlinkSync('../denied', join(cwd, 'src/aside'))
      symlinkSync('../.arrowhead', join(cwd, 'src/own'))
      linkSync(join(cwd, '.env'), join(cwd, 'src/hard.ts'))
    } })
    const answers: unknown[] = []
    for (const path of ['.env', 'denied/plain.ts', 'denied', '.arrowhead', 'src/link.ts', 'src/out', 'src/out/passwd', 'src/aside', 'src/own', 'src/aside/plain.ts', 'src/hard.ts', 'not/there.ts']) {
      const outcome = await world.call('search_code', { query: 'needle', path })
      answers.push(outcome.is === 'ok' ? { ...outcome.answer.value, below: outcome.answer.value['below'] === path ? 'as asked' : outcome.answer.value['below'], index: '' } : outcome)
    }
    expect(answers).toEqual(answers.map(() => answers.at(-1)))
  })

  it('are whole tools where a rule says so, while other tools answer', async () => {
    await open({ files: { ...SHOWN, '.arrowhead/config.json': JSON.stringify({ permissions: [{ tool: 'search_code', action: 'deny', scope: 'project' }] }) } })
    expect(await world.call('search_code', { query: 'needle' })).toMatchObject({ is: 'refused', refusal: { code: 'access.denied' } })
    expect(await world.call('list_sessions')).toMatchObject({ is: 'ok' })
  })
})
