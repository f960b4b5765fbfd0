import { expect, it } from 'vitest'
import { scriptedModel } from './scripted-model.ts'

const request = { system: '', messages: [], signal: new AbortController().signal }

it('says what it was told, in order, and throws what it was told to throw', async () => {
  const model = scriptedModel(['one', new Error('two')])
  expect(await model.complete(request)).toMatchObject({ text: 'one' })
  await expect(model.complete(request)).rejects.toThrow('two')
  expect([model.asked.length, model.left]).toEqual([2, 0])
})

it('is an error when it is asked for more than it was told', async () => {
  const model = scriptedModel([])
  await expect(model.complete(request)).rejects.toThrow('asked 1 times, and scripted for 0')
})
