import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/index.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const items = [{ kind: 'doc', identifier: 'a.md' }, { kind: 'repo_file', identifier: 'src/app.py', note: 'the entry' }]
const world = (settings: object = {}) => {
  const { call, rows } = testApp({ settings: { rateLimitEnabled: false, ...settings } })
  return { rows, update: (args: object) => call('workingset_update', { name: 'bug', ...args }), get: () => call('workingset_get', { name: 'bug' }) }
}
const okWith = (identifiers: readonly string[]) => ({ is: 'ok', answer: { value: { name: 'bug', item_count: identifiers.length, items: identifiers.map((identifier) => expect.objectContaining({ identifier })) } } })

describe('workingset_update', () => {
  it('pins, unpins and clears, and answers with the set', async () => {
    const { update, get } = world()
    expect(await update({ action: 'pin', items })).toMatchObject(okWith(['a.md', 'src/app.py']))
    expect(await update({ action: 'unpin', items: [{ kind: 'doc', identifier: 'a.md' }] })).toMatchObject(okWith(['src/app.py']))
    expect(await update({ action: 'clear' })).toMatchObject(okWith([]))
    expect(await get()).toMatchObject(okWith([]))
  })

  it('authorises each item as a read of it; one that is denied pins none', async () => {
    const grants = [{ subject: '*', actions: ['read'], kinds: ['document'], prefix: 'open' }, { subject: '*', actions: ['read'], kinds: ['repo_file'], prefix: '' }]
    const { update, get } = world({ authzPolicy: JSON.stringify({ grants }) })
    const [open, shut] = [{ kind: 'doc', identifier: 'open/a.md' }, { kind: 'doc', identifier: 'shut/b.md' }]
    expect(await update({ action: 'pin', items: [open, shut] })).toMatchObject({ refusal: { code: 'access.denied' } })
    expect(await get()).toMatchObject({ refusal: { code: 'workingset.missing' } })
    expect(await update({ action: 'pin', items: [open, { kind: 'repo_file', identifier: 'shut/b.md' }] })).toMatchObject(okWith(['open/a.md', 'shut/b.md']))
    expect(await update({ action: 'unpin', items: [shut] })).toMatchObject(okWith(['open/a.md', 'shut/b.md']))
  })

  it.each(['../a.md', 'a/../b.md', '/a.md', './a.md', 'a//b.md', 'a/', 'a\\b.md', 'a\0.md', 'a\nb.md', '', '..', '.', 'a/./b', 'e\u0301.md', '\ud800.md', 'x'.repeat(1_025)])('refuses the identifier %j', async (identifier) => {
    expect(await world().update({ action: 'pin', items: [{ kind: 'doc', identifier }] })).toMatchObject({ refusal: { code: 'input.invalid' } })
  })

  it('refuses an identifier that is too long before it reads it', async () => {
    expect(await world().update({ action: 'pin', items: [{ kind: 'doc', identifier: `e${'\u0301\u0323'.repeat(150_000)}` }] })).toMatchObject({ refusal: { code: 'input.invalid' } })
  }, SOON_MS)

  it.each(['...a/..b.md', 'a b.md', 'é.md', '日本/語.md', '.hidden', 'a%2e%2e/b'])('takes the identifier %j', async (identifier) => {
    expect(await world().update({ action: 'pin', items: [{ kind: 'doc', identifier }] })).toMatchObject(okWith([identifier]))
  })

  it.each([{ name: '' }, { name: 'a/b' }, { name: '../x' }, { name: '.x' }, { name: 'x'.repeat(65) }, { name: 'a b' }, { action: 'drop' }, { action: 'pin' }, { action: 'unpin', items: [] }, { action: 'pin', items: [{ kind: 'url', identifier: 'a' }] }, { action: 'pin', items: [{ ...items[0], note: 'a\u001b[31m' }] }])('refuses %j', async (args) => {
    expect(await world().update({ action: 'pin', items: args.items ?? ('action' in args ? undefined : items), ...args })).toMatchObject({ refusal: { code: 'input.invalid' } })
  })

  it('keeps no more sets for one caller, and no more items in one set, than the operator allows', async () => {
    const { update } = world({ workingsetMaxSets: 1, workingsetMaxItems: 1 })
    expect(await update({ action: 'pin', items })).toMatchObject({ refusal: { code: 'workingset.full' } })
    expect(await update({ action: 'pin', items: items.slice(1) })).toMatchObject({ is: 'ok' })
    expect(await update({ name: 'other', action: 'pin', items: items.slice(1) })).toMatchObject({ refusal: { code: 'workingset.full' } })
  })

  it('leaves shapes in the audit and neither identifiers nor notes', async () => {
    const { update, rows } = world()
    await update({ action: 'pin', items: [{ kind: 'doc', identifier: 'canary-path.md', note: 'canary note' }] })
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('canary')
  })
})
