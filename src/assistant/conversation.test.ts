import { describe, expect, it } from 'vitest'
import { type Entry, messagesOf } from './conversation.ts'

const asked = (text: string): Entry => ({ kind: 'asked', text })
const called = (args: object, result: string): Entry => ({ kind: 'called', id: 'c', name: 'look', args: JSON.stringify(args), result })
const told = (said: string): Entry => ({ kind: 'told', said, text: 'That could not be read.' })
const long = 'x'.repeat(1_000)

const promptOf = (entries: readonly Entry[], maxChars: number): string => JSON.stringify(messagesOf(entries, maxChars, false))

describe('the part of a conversation that fits into a prompt', () => {
  it('loses older results first, then whole turns', () => {
    const entries = [asked('first'), called({ at: 1 }, long), { kind: 'answered', text: 'one' } as const, asked('second'), called({ at: 2 }, 'short')]
    expect(promptOf(entries, 5_000)).toContain(long)
    expect(promptOf(entries, 600)).toMatch(/first.*left out.*second.*short/)
    expect(promptOf(entries, 200)).not.toContain('first')
    expect(promptOf(entries, 200)).toMatch(/second.*short/)
  })

  it('then loses what the model wrote in the current turn, oldest first, and never the question', () => {
    const entries = [asked('the question'), called({ what: long }, 'one'), told(long), called({ what: 'new' }, 'two'), called({ what: long }, 'three')]
    const prompt = promptOf(entries, 1_800)
    expect(prompt).toMatch(/the question.*left_out.*one.*left out.*new.*two.*x{1000}.*three/)
    expect(promptOf(entries, 500)).not.toContain(long)
    expect(promptOf(entries, 0)).toContain('the question')
    for (const { content } of messagesOf(entries, 0, false).filter(({ role }) => role === 'assistant')) if (content.startsWith('{')) expect(JSON.parse(content)).toMatchObject({ tool: 'look', args: {} })
  })

  it('is measured as it is sent, so that what JSON writes out is no surprise', () => {
    const quotes = '"\n'.repeat(300)
    const entries = [...Array.from({ length: 20 }, () => [asked('q'), { kind: 'answered', text: quotes } as const]).flat(), asked('the question')]
    const messages = messagesOf(entries, 3_000, false)
    expect(messages.length).toBeGreaterThan(1)
    expect(messages.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(3_000)
  })

  it('has no message without a text, which providers refuse', () => {
    const entries = [asked('q'), { kind: 'answered', text: ' ' } as const, told(''), asked('r')]
    for (const isNative of [true, false]) expect(messagesOf(entries, 3_000, isNative).filter(({ content }) => content.trim() === '')).toEqual([])
  })

  it('keeps every call and its result together', () => {
    const entries = Array.from({ length: 400 }, (_, at) => called({ at }, 'x'.repeat(200)))
    expect(messagesOf([asked('q'), ...entries], 100, true)).toHaveLength(1 + 2 * entries.length)
  })
})
