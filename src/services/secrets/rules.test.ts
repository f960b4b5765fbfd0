import { describe, expect, it } from 'vitest'
import { PERSONAL_RULES } from './personal/index.ts'
import { SECRET_RULES } from './rules/index.ts'
import { drawExample, drawToken, seeded } from './sample.fixture.ts'
import type { Sample } from './sample.fixture.ts'
import { createScanner } from './scanner.ts'

const RULES = [...SECRET_RULES, ...PERSONAL_RULES]
const DRAWS = 12
const scanner = createScanner()

/** Formats of tokens are drawn as a whole; other templates are texts in which a match is marked. */
const isFormat = (rule: (typeof RULES)[number]): boolean => rule.kind === 'secret' && rule.yes.every((template) => !template.includes('«'))
const samplesOf = (rule: (typeof RULES)[number], seed: string): Sample[] => rule.yes.map((template) => {
  const draw = seeded(`${rule.type} ${template} ${seed}`)
  if (!isFormat(rule) || rule.type === 'JWT') return drawExample(template, draw)
  const text = drawToken(template, draw)
  return { text, start: 0, end: text.length }
})

describe('the table of rules', () => {
  it('covers more than a hundred and thirty formats of credentials', () => {
    expect(SECRET_RULES.flatMap(({ yes }) => yes).length).toBeGreaterThan(130)
  })

  it('names types in a form that a placeholder can hold', () => {
    for (const { type } of RULES) expect(type).toMatch(/^[A-Z][A-Z0-9_]{1,39}$/)
  })

  describe.each(RULES.map((rule) => [rule.type, rule] as const))('%s', (_type, rule) => {
    it.each(rule.yes)('finds %s', (template) => {
      for (let turn = 0; turn < DRAWS; turn += 1) {
        const sample = samplesOf(rule, String(turn))[rule.yes.indexOf(template)]
        const found = scanner.scan(sample?.text ?? '').map(({ start, end }) => ({ start, end }))
        expect(found, sample?.text).toEqual([{ start: sample?.start, end: sample?.end }])
      }
    })

    it.skipIf(rule.no.length === 0).each(rule.no.length === 0 ? [''] : rule.no)('leaves %s', (template) => {
      const { text } = drawExample(template, seeded(`${rule.type} ${template}`))
      expect(scanner.scan(text), text).toEqual([])
    })
  })
})
