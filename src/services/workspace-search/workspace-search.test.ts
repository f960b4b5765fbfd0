import { afterEach, describe, expect, it } from 'vitest'
import type { CodeAnswer, CodeHit, CodeIndex, CodeSource } from '../../kernel/ports/code-index.ts'
import type { RepoSearch, RepoText } from '../../kernel/ports/repo.ts'
import type { WorkspaceQuery } from '../../kernel/ports/workspace.ts'
import { refusal } from '../../kernel/refusal.ts'
import { testClock } from '../../testing/index.ts'
import { createWorkspaceSearch } from './index.ts'
import type { OpenWorkspaceSearch } from './index.ts'

const LINES: Readonly<Record<string, string>> = { 'a.ts': '// first\nexport const needle = 1\n', '.env': 'needle=1', 'denied.ts': 'needle' }
const STAMP = { state: '', filesSeen: 0, skipped: [], truncated: undefined }

const hit = (path: string, name: string, line = 2): CodeHit => ({ path, name, kind: 'constant', container: '', startLine: line, endLine: line, contentHash: '1', score: 1, match: 'exact' })
const query = (more: Partial<WorkspaceQuery> = {}): WorkspaceQuery => ({ text: 'the needle', path: '', kinds: undefined, limit: 20, detail: 'signatures', ...more })

interface World {
  readonly search: OpenWorkspaceSearch
  readonly clock: ReturnType<typeof testClock>
  /** Looks at the tree so far. */
  readonly looks: () => number
  /** Lets the look under way end. */
  release(): void
  readonly watched: (readonly string[])[]
  readonly faults: unknown[]
}

let search: OpenWorkspaceSearch | undefined
let release: () => void = () => {}
afterEach(async () => {
  release()
  await search?.close()
})

interface Given {
  readonly hits?: readonly CodeHit[]
  readonly isHeld?: boolean
  readonly canWatch?: boolean
  readonly fails?: boolean
  readonly isCut?: boolean
}

function open({ hits = [], isHeld = false, canWatch = true, fails = false, isCut = false }: Given = {}): World {
  const [clock, watched, faults] = [testClock(), [] as (readonly string[])[], [] as unknown[]]
  let [looks, updatedAtMs] = [0, null as number | null]
  const held = isHeld ? new Promise<void>((done) => (release = done)) : undefined
  const index: CodeIndex = {
    async update(sources) {
      for await (const _ of sources) await held
      if (fails) throw new Error('the disk is gone')
      updatedAtMs = clock.now()
      return { indexed: 1, unchanged: 0, removed: 0, refused: 0, incomplete: 0, complete: true }
    },
    change: () => Promise.reject(new Error('not used')),
    async search(_text, { may = () => true }): Promise<CodeAnswer> {
      return { hits: hits.filter(({ path }) => may(path)), freshness: index.freshness() }
    },
    freshness: () => ({ updatedAtMs, generation: 1, complete: true }),
    close: () => {},
  }
  async function* sources(): AsyncGenerator<CodeSource> {
    looks += 1
    for (const path of ['src/deep/a.ts', 'src/b.ts']) yield { path, contentHash: '1', chunks: () => [] }
  }
  const made = createWorkspaceSearch({
    index: () => index, clock,
    look: () => ({ sources: sources(), isCut: () => isCut }),
    watch: (folders) => {
      watched.push([...folders])
      return canWatch
    },
    hides: (path) => path === '.env', onWithheld: () => {}, onFault: (error) => faults.push(error),
    repo: {
      linkedFolder: async () => undefined,
      async read(path): Promise<RepoText> {
        const text = LINES[path]
        if (text === undefined) throw refusal('file.unavailable')
        return { path, text, startLine: 1, endLine: 2, totalLines: 2, size: 1, state: '1', isCut: false, redacted: 0 }
      },
      async search({ query: word }, { may }): Promise<RepoSearch> {
        const all = Object.entries(LINES).filter(([, text]) => text.includes(word))
        const seen = await Promise.all(all.map(([id]) => may({ action: 'read', kind: 'repo_file', id })))
        return { ...STAMP, linesCut: 0, matches: all.filter((_, at) => seen[at]).map(([path]) => ({ path, line: 2, snippet: 'a line that is not shown' })) }
      },
    },
  })
  search = made
  return { search: made, clock, looks: () => looks, release: () => release(), watched, faults }
}

const asker = { may: ({ id }: { readonly id: string }): boolean => id !== 'denied.ts', signal: new AbortController().signal }

describe('a question that comes before the index is there', () => {
  it('is answered with addresses of lines and no text, and says so', async () => {
    const world = open({ isHeld: true })
    expect(await world.search.search(query(), asker)).toEqual({ path: '', hits: [{ path: 'a.ts', line: 2, kind: 'line', name: '', text: '' }], more: false, index: { state: 'building', asOfMs: null } })
  })

  it('gets nothing that is no word, nor lines where declarations of a kind are asked for', async () => {
    const world = open({ isHeld: true })
    expect((await world.search.search(query({ text: '++ a' }), asker)).hits).toEqual([])
    expect((await world.search.search(query({ kinds: ['class'] }), asker)).hits).toEqual([])
  })

  it('ends when its caller leaves', async () => {
    const world = open({ isHeld: true })
    const stop = new AbortController()
    const asked = world.search.search(query(), { ...asker, signal: stop.signal })
    stop.abort(refusal('call.cancelled'))
    await expect(asked).rejects.toMatchObject({ code: 'call.cancelled' })
  })
})

describe('the index of a workspace', () => {
  it('is filled once for many questions, and looked at again after a change', async () => {
    const world = open({ hits: [hit('a.ts', 'needle')] })
    for (let at = 0; at < 5; at += 1) expect((await world.search.search(query(), asker)).hits).toEqual([{ path: 'a.ts', line: 2, kind: 'constant', name: 'needle', text: 'export const needle = 1' }])
    expect(world.looks()).toBe(1)
    expect(world.watched).toEqual([['', 'src/deep', 'src']])
    world.search.noteChange()
    await world.search.search(query(), asker)
    expect(world.looks()).toBe(2)
  })

  it.each([[true, 29_999, 1], [true, 30_001, 2], [false, 999, 1], [false, 1_001, 2]])('where folders are watched: %s, is looked at after %i ms %i times', async (canWatch, ms, looks) => {
    const world = open({ canWatch })
    await world.search.search(query(), asker)
    world.clock.pass(ms)
    await world.search.search(query(), asker)
    expect(world.looks()).toBe(looks)
  })

  it('drops a hit that its file does not hold any more, and looks again', async () => {
    const world = open({ hits: [hit('a.ts', 'gone'), hit('not-there.ts', 'needle'), hit('a.ts', 'needle', 40)] })
    expect((await world.search.search(query(), asker)).hits).toEqual([])
    await world.search.search(query(), asker)
    expect(world.looks()).toBe(2)
  })

  it('is said to miss files when a look failed or was cut, and the next question tries again', async () => {
    const world = open({ fails: true })
    expect((await world.search.search(query(), asker)).index.state).toBe('partial')
    expect(world.faults).toHaveLength(1)
    await world.search.search(query(), asker)
    expect(world.looks()).toBe(2)
    await search?.close()
    expect((await open({ isCut: true }).search.search(query(), asker)).index.state).toBe('partial')
  })
})
