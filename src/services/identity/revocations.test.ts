import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openRevocations } from './revocations.ts'
import type { Revocations } from './revocations.ts'

const HEX = 'ab'.repeat(32)

interface Followed {
  readonly list: Revocations
  readonly problems: readonly string[]
  isWatching(): boolean
  say(text: string | undefined): void
}

function follow(first: string | undefined): Followed {
  const problems: string[] = []
  let [isWatching, say] = [true, (_text: string | undefined): void => {}]
  const list = openRevocations((onText) => {
    onText(first)
    say = onText
    return () => void (isWatching = false)
  }, (problem) => void problems.push(problem))
  return { list, problems, isWatching: () => isWatching, say: (text) => say(text) }
}

const token = (part: Partial<Parameters<Revocations['names']>[0]>): Parameters<Revocations['names']>[0] => ({ jti: undefined, subject: 'nobody', sha256: ['0'.repeat(64)], ...part })

it('names tokens by id, by subject and by digest, and nothing else', () => {
  const { list } = follow(`\ufeff# gone\r\n\r\njti:t 1\r\n sub: ann \nsha256:${HEX.toUpperCase()}\n`)
  expect([{ jti: 't 1' }, { subject: 'ann' }, { subject: ' ann' }, { sha256: ['0'.repeat(64), HEX] }].map((part) => list.names(token(part)))).toEqual([true, true, true, true])
  expect([{}, { jti: 'ann' }, { subject: 't 1' }, { jti: 't' }, { subject: 'Ann' }, { subject: '# gone' }, { jti: '' }].map((part) => list.names(token(part)))).toEqual(Array(7).fill(false))
})

it('names every subject that is on it, and only those', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '' && !/[\n\r\u2028\u2029]/.test(text))
  fc.assert(fc.property(fc.uniqueArray(name, { selector: (text) => text.trim(), minLength: 1, maxLength: 20 }), name, (listed, other) => {
    const { list } = follow(listed.map((subject) => `sub:${subject}`).join('\n'))
    for (const subject of listed) expect(list.names(token({ subject }))).toBe(true)
    expect(list.names(token({ subject: other }))).toBe(listed.some((one) => one.trim() === other.trim()))
  }))
})

it('is not opened over a text that cannot be read as a whole, and then watches nothing', () => {
  for (const text of [undefined, 'user-1', 'sub:', 'jti:  ', 'sha256:abc', `sha256:${HEX}0`, `sha1:${HEX}`, 'subject:ann', 'sub:ann\n*']) {
    let isWatching = true
    const open = (): Revocations =>
      openRevocations((onText) => {
        onText(text)
        return () => void (isWatching = false)
      }, () => {})
    expect(open).toThrow(TypeError)
    expect(isWatching).toBe(false)
  }
})

it('keeps the last list when the text cannot be read any more', () => {
  const { list, problems, say } = follow('sub:ann')
  say(undefined)
  expect(list.names(token({ subject: 'ann' }))).toBe(true)
  expect(problems).toHaveLength(1)
  say('sub:bob')
  expect(['ann', 'bob'].map((subject) => list.names(token({ subject })))).toEqual([false, true])
})

it('takes new entries, and nothing off the list, from a text with a line that is no entry', () => {
  const { list, problems, say } = follow('sub:ann\nsub:eve')
  say('sub:bob\nsub')
  expect(['ann', 'eve', 'bob'].map((subject) => list.names(token({ subject })))).toEqual([true, true, true])
  expect(problems).toHaveLength(1)
  say('sub:bob')
  expect(['ann', 'eve', 'bob'].map((subject) => list.names(token({ subject })))).toEqual([false, false, true])
  expect(problems).toHaveLength(1)
})

it('says nothing of what the text holds', () => {
  const { problems, say } = follow('')
  say('PRIVATE')
  expect(problems.join()).not.toContain('PRIVATE')
})

it('stops watching when it is closed', () => {
  const { list, isWatching } = follow('')
  list.close()
  expect(isWatching()).toBe(false)
})
