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

  it.each([
    ['another mark', 'Text.\n~~~\n```\ncode\n~~~\nHow refunds are paid.'],
    ['fewer marks', 'Text.\n````\n```\ncode\n```\n````\nHow refunds are paid.'],
    ['words behind it', 'Text.\n~~~ js\n~~~ js\n~~~~ \nHow refunds are paid.'],
  ])('has no code of which a line looks like the end: one with %s', (_what, text) => {
    expect(proseOf(text)).toBe('Text. How refunds are paid.')
  })

  it('has the words behind code in backticks that is all in one line', () => {
    expect(proseOf('```npm ci``` installs.\nHow refunds are paid.')).toBe('npm ci installs. How refunds are paid.')
  })

  it.each([
    ['code\n```\nHow refunds are paid: within ten days.', 'How refunds are paid: within ten days.'],
    ['code\n\n```\n\nRefunds.\n~~~\ncode\n~~~\nTen days.', 'Refunds. Ten days.'],
    ['code\n```\nRefunds.\n```js\ncode\n```\nTen days.', 'Refunds. Ten days.'],
  ])('begins behind the code that a part of a document begins with: %j', (text, prose) => {
    expect(proseOf(text)).toBe(prose)
  })

  it.each([
    ['Run this:\n```sh\nnpm ci', 'Run this:'],
    ['Run this.\n\n```\nnpm ci', 'Run this.'],
    ['Run this.\n```\n', 'Run this.'],
    ['```\nnpm ci', 'npm ci'],
  ])('ends before the code that a part of a document ends with: %j', (text, prose) => {
    expect(proseOf(text)).toBe(prose)
  })

  it('is never empty where the text is not, never longer, and the same when it is taken again', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('a', '`', '```', '#', '[', '](', ')', '|', '\n', '\n```\n', '\n~~~\n', ' ', '~~~', 'é', '*')).map((parts) => parts.join('')), (text) => {
      const prose = proseOf(text)
      expect(prose === '').toBe(text === '')
      expect(prose.length).toBeLessThanOrEqual(text.length)
      if (/[aé]/.test(prose)) expect(proseOf(prose)).toBe(prose)
    }))
  })
})
