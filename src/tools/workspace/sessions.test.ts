import { afterEach, describe, expect, it } from 'vitest'
import type { Agent } from '../../kernel/ports/agent.ts'
import { openWorkspaceWorld } from './workspace.fixture.ts'
import type { WorkspaceWorld } from './workspace.fixture.ts'

let world: WorkspaceWorld
afterEach(() => world.close())

describe('the sessions of a workspace', () => {
  it('are listed newest first, and read as what was asked, answered and called', async () => {
    world = await openWorkspaceWorld()
    const id = await world.sessions.open('', 'Why?')
    await world.sessions.append('', id, { kind: 'asked', text: 'Why?', at: 0 })
    await world.sessions.append('', id, { kind: 'called', tool: 'grep', at: 1_000 })
    await world.sessions.append('', id, { kind: 'answered', text: 'Because.', at: 2_000 })
    expect(await world.call('list_sessions')).toMatchObject({ is: 'ok', answer: { value: { sessions: [{ id, title: 'Why?', started_at: expect.stringMatching(/^\d{4}-.*Z$/) }] } } })
    const read = await world.call('read_session', { session_id: id })
    expect(read).toMatchObject({ is: 'ok', answer: { value: { session_id: id, entries: [{ kind: 'asked', at: '1970-01-01T00:00:00Z', text: expect.stringMatching(/\nWhy\?\n/) }, { kind: 'called', tool: 'grep' }, { kind: 'answered', text: expect.stringMatching(/\nBecause\.\n/) }] } } })
    expect(JSON.stringify(read)).not.toContain(world.cwd)
  })

  it.each(['.', '..', '../x', 'a/b', 'a\\b', 'a b', 'a\0', '', 'ä', 'x'.repeat(129)])('are not looked up by %j', async (id) => {
    world = await openWorkspaceWorld()
    expect(await world.call('read_session', { session_id: id })).toMatchObject({ is: 'refused', refusal: { code: 'input.invalid' } })
  })

  it('that are not there are said to be missing', async () => {
    world = await openWorkspaceWorld()
    expect(await world.call('read_session', { session_id: 'constructor' })).toMatchObject({ is: 'refused', refusal: { code: 'session.missing' } })
  })

  it('show no credential, in the title neither', async () => {
    world = await openWorkspaceWorld()
    const token = ['gh', 'p_7SRW6Wnx9GVgDdvJOdmxrCw7jOo4DUPzMKZT'].join('')
    const id = await world.sessions.open('', `use ${token}`)
    await world.sessions.append('', id, { kind: 'asked', text: `use ${token} please`, at: 0 })
    for (const outcome of [await world.call('list_sessions'), await world.call('read_session', { session_id: id })]) {
      expect(outcome.is).toBe('ok')
      expect(JSON.stringify(outcome)).not.toContain(token.slice(4, 20))
    }
  })

  it('are cut at sixty thousand characters, and the cut is marked', async () => {
    world = await openWorkspaceWorld()
    const id = await world.sessions.open('', 'long')
    for (let at = 0; at < 5; at += 1) await world.sessions.append('', id, { kind: 'answered', text: 'x'.repeat(40_000), at })
    const outcome = await world.call('read_session', { session_id: id })
    const text = JSON.stringify(outcome.is === 'ok' ? outcome.answer.value : '')
    expect(text.length).toBeLessThanOrEqual(60_000)
    expect(text).toContain('[cut:')
  })

  it.each(['list_sessions', 'read_session'])('are closed by a rule that denies %s, and by nothing that allows', async (tool) => {
    world = await openWorkspaceWorld({ files: { '.arrowhead/config.json': JSON.stringify({ permissions: [{ tool, action: 'deny', scope: 'project' }, { tool, action: 'allow' }] }) } })
    expect(await world.call(tool, tool === 'read_session' ? { session_id: 'x' } : {})).toMatchObject({ is: 'refused', refusal: { code: 'access.denied' } })
  })
})

describe('the assistant', () => {
  it('does not exist unless it was asked for', async () => {
    world = await openWorkspaceWorld()
    expect(await world.call('ask_arrowhead', { prompt: 'x' })).toMatchObject({ is: 'refused', refusal: { code: 'component.unknown' } })
    expect(world.app.registry.all.map(({ name }) => name)).toEqual(['list_sessions', 'read_session', 'search_code'])
  })

  it('takes a prompt and nothing else, and its answer is marked as data', async () => {
    const asked: string[] = []
    const agent: Agent = {
      async ask(prompt) {
        asked.push(prompt)
        return { text: `because ${prompt}`, sessionId: 'abc', turns: 2, stopped: undefined }
      },
    }
    world = await openWorkspaceWorld({ openAgent: () => agent })
    expect(await world.call('ask_arrowhead', { prompt: 'why' })).toMatchObject({ is: 'ok', answer: { value: { answer: expect.stringMatching(/^<<data .*\nbecause why\n<<end/), session_id: 'abc', turns: 2, stopped: '' } } })
    for (const more of [{ cwd: '/' }, { mode: 'acceptEdits' }, { model: 'x' }, { tools: [] }]) expect(await world.call('ask_arrowhead', { prompt: 'why', ...more })).toMatchObject({ refusal: { code: 'input.invalid' } })
    expect(await world.call('ask_arrowhead', { prompt: 'x'.repeat(20_001) })).toMatchObject({ refusal: { code: 'input.invalid' } })
    expect(asked).toEqual(['why'])
  })

  it('fails without a word of why to the peer, and with it to the operator', async () => {
    const token = ['gh', 'p_7SRW6Wnx9GVgDdvJOdmxrCw7jOo4DUPzMKZT'].join('')
    const agent: Agent = { ask: () => Promise.reject(new Error(`ENOENT /home/me/secret-place, key ${token}`)) }
    world = await openWorkspaceWorld({ openAgent: () => agent })
    const outcome = await world.call('ask_arrowhead', { prompt: 'why' })
    expect(outcome).toEqual({ is: 'fault', incident: expect.any(String) })
    await expect.poll(() => world.lines.find(({ event }) => event === 'fault-text')).toMatchObject({ incident: outcome.is === 'fault' ? outcome.incident : '', text: expect.stringContaining('/home/me/secret-place') })
    expect(JSON.stringify(world.lines)).not.toContain(token.slice(4, 20))
  })
})
