import { expect, it } from 'vitest'
import { testApp } from '../../testing/index.ts'

const digestOf = async (settings: object = {}) => {
  const outcome = await testApp({ settings }).dispatch({ kind: 'resource', uri: 'arrowhead://integrity' })
  return outcome.is === 'ok' ? JSON.parse(String(outcome.answer.value['text'])) : outcome
}

it('is one digest over every enabled tool', async () => {
  expect(await digestOf()).toEqual({ algorithm: 'sha256', digest: expect.stringMatching(/^[0-9a-f]{64}$/), tool_count: expect.any(Number), profile: 'full' })
})

it('differs when a tool is switched off, and only then', async () => {
  expect((await digestOf()).digest).toBe((await digestOf()).digest)
  expect((await digestOf({ disabledTools: ['calculate'] })).digest).not.toBe((await digestOf()).digest)
})
