import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proseOf } from './prose.ts'

describe('the prose of a document', () => {
  it('is its words, without marks, targets of links and code between fences', () => {
    expect(proseOf('# A *plain*  title\n\nSee [the guide](docs/guide.md), `code` and\n\n```sh\nnpm ci\n```\n| a | b |\n')).toBe('A plain title See the guide , code and a b')
  })

  it('is the code itself where there is nothing else', () => {
    expect(proseOf('```js\nconst a = 1\n```')).toBe('js const a = 1')
    expect(proseOf('***')).toBe('***')
  })

  it('is never empty where the text is not, never longer, and the same when it is taken again', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('a', '`', '```', '#', '[', '](', ')', '|', '\n', ' ', '~~~', 'é', '*')).map((parts) => parts.join('')), (text) => {
      const prose = proseOf(text)
      expect(prose === '').toBe(text === '')
      expect(prose.length).toBeLessThanOrEqual(text.length)
      if (/[aé]/.test(prose)) expect(proseOf(prose)).toBe(prose)
    }))
  })
})
