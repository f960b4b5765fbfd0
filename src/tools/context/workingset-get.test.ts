import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'

const SCOPES = ['context:read', 'context:write']
const GRANTS = { grants: [{ subject: '*', actions: ['read'], kinds: ['document', 'repo_file'], prefix: '' }] }

const world = (): TestApp => testApp({ settings: { rateLimitEnabled: false, authzPolicy: JSON.stringify(GRANTS) } })
const item = { kind: 'doc', identifier: 'a.md', note: 'why' }

/** What a caller of this name is told. */
const as = ({ app, call }: TestApp, subject: string) => async (tool: 'workingset_get' | 'workingset_update', args: object) => {
  const outcome = await call(tool, args, app.callerOf(subject, SCOPES))
  return outcome.is === 'ok' ? outcome.answer.value : { refused: outcome.is === 'refused' && outcome.refusal.code, hint: outcome.is === 'refused' && outcome.refusal.hint }
}

describe('workingset_get', () => {
  it('returns what was pinned, in order', async () => {
    const alice = as(world(), 'alice')
    await alice('workingset_update', { name: 'bug', action: 'pin', items: [item, { kind: 'repo_file', identifier: 'src/app.py' }] })
    expect(await alice('workingset_get', { name: 'bug' })).toEqual({ name: 'bug', item_count: 2, items: [item, { kind: 'repo_file', identifier: 'src/app.py', note: '' }] })
  })

  it.each([
    ['of another user', 'bob'], ['whose name starts like the owner', 'alice-2'], ['whose name is a part of it', 'ali'], ['in other letters', 'Alice'], ['with a blank behind it', 'alice '], ['with more behind a null', 'alice\0'],
    ['with a wildcard', '*'], ['with a pattern', '%'], ['with a path to it', '../alice'], ['of an inherited name', '__proto__'], ['that looks composed', 'al\u00efce'],
  ])('shows a caller %s nothing of it, in the words for a set that does not exist', async (_who, subject) => {
    const app = world()
    await as(app, 'alice')('workingset_update', { name: 'bug', action: 'pin', items: [item] })
    const other = as(app, subject)
    const foreign = await other('workingset_get', { name: 'bug' })
    expect(foreign).toMatchObject({ refused: 'workingset.missing' })
    expect(foreign).toEqual(await other('workingset_get', { name: 'never-made' }))
    for (const action of ['unpin', 'clear']) expect(await other('workingset_update', { name: 'bug', action, items: [item] })).toEqual(foreign)
    expect(await as(app, 'alice')('workingset_get', { name: 'bug' })).toMatchObject({ item_count: 1 })
  })

  it('does not know an anonymous caller', async () => {
    expect(await as(world(), '')('workingset_get', { name: 'bug' })).toMatchObject({ refused: 'component.unknown' })
  })

  it.each(['constructor', '__proto__', 'toString', 'a.b-c_D9'])('keeps a set under the name %s like any other', async (name) => {
    const alice = as(world(), 'alice')
    expect(await alice('workingset_get', { name })).toMatchObject({ refused: 'workingset.missing' })
    await alice('workingset_update', { name, action: 'pin', items: [item] })
    expect(await alice('workingset_get', { name })).toEqual({ name, item_count: 1, items: [item] })
  })

  it.each(['user|with:odd/characters', 'a'.repeat(2_000), 'sub\nject', '\ud800'])('keeps sets of a caller with an odd name: %j', async (subject) => {
    const app = world()
    await as(app, subject)('workingset_update', { name: 'own', action: 'pin', items: [item] })
    expect(await as(app, subject)('workingset_get', { name: 'own' })).toMatchObject({ item_count: 1 })
  })
})
