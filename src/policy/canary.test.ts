import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCanary, tokenProblem } from './canary.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const TOKEN = 'Planted-Token_7f3a91'
const canary = createCanary([TOKEN])

describe('a planted token', () => {
  it.each([
    ['as it is', TOKEN], ['in another case', TOKEN.toUpperCase()], ['with something between', [...TOKEN].join(' . ')], ['over lines', [...TOKEN].join('\n')], ['in wide letters', [...TOKEN].map((letter) => (/[a-z]/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter)).join('')],
    ['with what cannot be seen', [...TOKEN].join('\u200b')], ['backwards', [...TOKEN].reverse().join('')], ['percent-encoded', [...TOKEN].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')], ['as hex', Buffer.from(TOKEN).toString('hex').toUpperCase()], ['in a JSON escape', JSON.stringify({ x: TOKEN })],
  ])('is known %s', (_how, text) => {
    expect(canary.isIn(`before ${text} after`)).toBe(true)
  })

  it('is known in base64, wherever it stands in it', () => {
    fc.assert(fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), fc.constantFrom('base64', 'base64url'), (before, after, form) => {
      expect(canary.isIn(Buffer.from(before + TOKEN + after).toString(form))).toBe(true)
    }))
  })

  it('is not found where it is not', () => {
    fc.assert(fc.property(fc.lorem({ maxCount: 40 }), (text) => {
      expect(canary.isIn(text)).toBe(false)
    }))
    expect(canary.isIn(TOKEN.slice(0, -1))).toBe(false)
    expect(createCanary([]).isIn('anything')).toBe(false)
  })
})

it.each([['x', false], [[], true], [['short'], false], [['- - - - - - - - - - - -'], false], [['x'.repeat(201)], false], [[TOKEN, 7], false], [[TOKEN], true]])('tokens %j can be held to: %s', (tokens, ok) => {
  expect(tokenProblem(tokens) === undefined).toBe(ok)
})

it('bears a text of marks that are out of order', () => {
  expect(createCanary(['planted-token-1']).isIn(`planted-token-1 e${'\u0301\u0323'.repeat(150_000)}`)).toBe(true)
}, SOON_MS)
