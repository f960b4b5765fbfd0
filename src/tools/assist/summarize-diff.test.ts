import { describe, expect, it } from 'vitest'
import { assistApp } from './assist.fixture.ts'

const change = (name: string, lines = 1): string => `--- a/${name}\n+++ b/${name}\n@@ -1,0 +1,${lines} @@\n${`+a new line of ${name}\n`.repeat(lines)}`

describe('summarize_diff', () => {
  it('returns the words of the model as data, and what it counted itself', async () => {
    const { call, model } = assistApp(['One line is new.'])
    expect(await call('summarize_diff', { diff: change('x.py') })).toMatchObject({
      answer: { value: { summary: expect.stringMatching(/^<<data .*>>\nOne line is new\.\n<<end .*>>$/), metadata: { model: 'scripted', files: 1, added: 1, removed: 0, omitted_files: 0 } } },
    })
    expect(model.asked[0]?.messages).toEqual([{ role: 'user', content: `Summarise the change.\n<<data scripted>>\n${change('x.py').trimEnd()}\n<<end scripted>>` }])
  })

  it.each(['not a diff', '--- a/x\n+++ b/x\n'])('refuses %j before any model is asked', async (diff) => {
    const { call } = assistApp([])
    expect(await call('summarize_diff', { diff })).toMatchObject({ refusal: { code: 'diff.invalid' } })
  })

  it('refuses what is larger than the limit, in bytes', async () => {
    const diff = change('x.py').replace('new', 'né')
    const bytes = Buffer.byteLength(diff)
    expect(await assistApp([], { settings: { diffMaxBytes: bytes - 1 } }).call('summarize_diff', { diff })).toMatchObject({ refusal: { code: 'diff.too-large' } })
    expect(await assistApp(['fine'], { settings: { diffMaxBytes: bytes } }).call('summarize_diff', { diff })).toMatchObject({ is: 'ok' })
  })

  it('reads what is too long in parts, file by file, and joins what is said of them', async () => {
    const { call, model } = assistApp(['first', 'second', 'third'], { maxPromptChars: 1_700 })
    const outcome = await call('summarize_diff', { diff: change('a', 40) + change('b', 40) + change('c', 45) })
    expect(outcome).toMatchObject({ answer: { value: { summary: expect.stringMatching(/\nfirst\n\nsecond\n\nthird\n/), metadata: { files: 3, added: 125, omitted_files: 0 } } } })
    expect(model.asked.map(({ messages }) => messages[0]?.content.split('\n').slice(0, 3))).toEqual(['a', 'b', 'c'].map((name, index) => [`Summarise part ${index + 1} of 3 of the change.`, '<<data scripted>>', `--- a/${name}`]))
    for (const { system, messages } of model.asked) expect(system.length + (messages[0]?.content.length ?? 0)).toBeLessThanOrEqual(1_700)
  })

  it('stops after twelve parts, and says how many files it left out', async () => {
    const { call } = assistApp(Array.from({ length: 12 }, () => 'part'), { maxPromptChars: 1_700 })
    const diff = Array.from({ length: 15 }, (_, index) => change(`f${index}`, 40)).join('')
    expect(await call('summarize_diff', { diff })).toMatchObject({ answer: { value: { metadata: { files: 15, omitted_files: 3 } } } })
  })
})
