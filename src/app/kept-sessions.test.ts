import { expect, it } from 'vitest'
import { assistantOver } from '../assistant/assistant.fixture.ts'
import { createMemorySessions } from '../services/sessions/index.ts'
import { answer, choose, testClock } from '../testing/index.ts'

const SECRET = ['OxGtAYL', 'nnqTqHa', 'PtdqAFW', 'pNLrLwd', 'tFCsFIX', 'x'].join('')

const kept = () => {
  let id = 0
  return { sessions: createMemorySessions(testClock(), () => `s${(id += 1)}`), workspace: '/w' }
}

it('keeps what was asked, answered and called, without credentials in any of it', async () => {
  const place = kept()
  const { ask, app } = assistantOver([choose('look', { what: SECRET }), answer(`The password=${SECRET}`)], { kept: place })
  // Cut in the middle, half of a credential would stand in the title.
  await ask(`${'log in '.repeat(10)} with password: ${SECRET}`)
  await app.close()
  const [head] = await place.sessions.list('/w', 10)
  const entries = await place.sessions.read('/w', head?.id ?? '', 10)
  expect(entries?.map(({ kind }) => kind)).toEqual(['asked', 'called', 'answered'])
  expect(JSON.stringify([head, entries])).not.toContain(SECRET.slice(0, 6))
  expect(head?.title).toContain('log in')
})

it('keeps that a request was stopped', async () => {
  const place = kept()
  const { ask, app } = assistantOver(['{', '{', '{'], { kept: place })
  await ask('try')
  await app.close()
  expect(await place.sessions.read('/w', 's1', 10)).toMatchObject([{ kind: 'asked', text: 'try' }, { kind: 'answered', text: expect.stringContaining('(stopped: ') }])
})
