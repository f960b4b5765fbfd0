import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Asked, hitsIn, matcherFor, placesIn, stepsIn } from './matcher.fixture.ts'

const refusedWith = (hint: RegExp, code = 'input.invalid') => expect.objectContaining({ name: 'Refusal', code, hint: expect.stringMatching(hint) })

describe('what may be asked', () => {
  it.each([['', /empty/], ['x'.repeat(2001), /too long/], ['a\nb', /one line/], ['a\rb', /one line/], ['a\ud800', /whole/]])(
    'does not include %j', async (query, hint) => {
      await expect(matcherFor({ query })).rejects.toEqual(refusedWith(hint))
      await expect(matcherFor({ query, regex: true })).rejects.toEqual(refusedWith(hint))
    })

  it.each([
    ['(?=a)', 'look-ahead'], ['(?!a)', 'negative look-ahead'], ['(?<=(a))b', 'group within look-behind'], ['(?<=a', 'open look-behind'],
    ['\\u12', 'half a code unit'], ['\\u{110000}', 'point beyond Unicode'], ['\\U0041', 'escape of eight digits, cut short'], ['\\p{Script=None}', 'script that does not exist'],
    ['(a)\\1', 'back-reference'], ['(?<n>a)\\k<n>', 'named back-reference'], ['(?>a)', 'atomic group'], ['a++', 'possessive'],
    ['(', 'open group'], ['[a', 'open class'], ['a{2,1}', 'reversed counter'], ['*', 'nothing to repeat'], ['a\\', 'trailing backslash'],
  ])('does not include the expression %s (%s)', async (query) => {
    const error = await matcherFor({ query, regex: true }).catch((thrown: unknown) => thrown)
    expect(error).toEqual(refusedWith(/RE2/, 'search.pattern'))
    expect(JSON.stringify(error) + String(error)).not.toContain(`${query}\``)
  })

  it.each([['(a{1000}){1000}'], ['((a{100}){10}){10}'], ['(\\p{L}?){1000}'], ['a'.repeat(1001)]])(
    'does not include the expression %s, whose program would be too large', async (query) => {
      await expect(matcherFor({ query, regex: true })).rejects.toEqual(refusedWith(/too large|RE2/, 'search.pattern'))
    })
})

describe('case', () => {
  // Unicode 15 CaseFolding.txt, statuses C and S.
  it.each([
    ['k', 'K'], ['k', '\u212a'], ['\u212a', 'k'], ['s', '\u017f'], ['\u017f', 'S'], ['STRASSE', 'ſtraſſe'], ['ß', 'ẞ'], ['ẞ', 'ß'],
    ['σ', 'ς'], ['Σ', 'ς'], ['ς', 'Σ'], ['straẞe', 'STRAßE'], ['ǆ', 'ǅ'], ['Ǆ', 'ǅ'], ['θ', 'ϴ'], ['µ', 'μ'], ['å', '\u212b'],
    ['ё', 'Ё'], ['𐐨', '𐐀'], ['Ⱥ', 'ⱥ'], ['ᏸ', 'Ᏸ'], ['é', 'É'], ['e\u0301', 'É'], ['É', 'e\u0301'],
  ])('is no difference between %s and %s', async (query, text) => {
    expect(await placesIn(`-${text}-`, { query })).toEqual(['1:2'])
    expect(await placesIn(`-${text}-`, { query, regex: true })).toEqual(['1:2'])
  })

  it.each([['ss', 'ß'], ['ß', 'ss'], ['SS', 'ẞ'], ['i', 'İ'], ['İ', 'i'], ['I', 'ı'], ['ı', 'I'], ['fi', 'ﬁ'], ['e', 'é'], ['e', 'e\u0301'], ['k', 'ķ']])(
    'and nothing more is folded: %s is not %s', async (query, text) => {
      expect(await placesIn(`-${text}-`, { query })).toEqual([])
    })

  it('counts when it is asked to', async () => {
    const text = 'Word\nword\nWORD wo'
    expect(await placesIn(text, { query: 'word', caseFold: false })).toEqual(['2:1'])
    expect(await placesIn(text, { query: 'wor[d]', regex: true, caseFold: false })).toEqual(['2:1'])
    expect(await placesIn('é\nÉ', { query: 'É', caseFold: false })).toEqual(['2:1'])
    expect(await placesIn('\u212a\nk', { query: 'K', caseFold: false })).toEqual(['1:1'])
    expect(await placesIn('ſ', { query: 's', caseFold: false })).toEqual([])
  })

  it('finds every character that is ASCII once it is normalised or folded', async () => {
    const disguised: [string, string][] = []
    for (let point = 0x80; point <= 0x10ffff; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const character = String.fromCodePoint(point)
      const normal = character.normalize('NFC')
      if (/^[\0-\x7f]$/iu.test(normal)) disguised.push([character, /\p{L}/u.test(normal) ? normal.toLowerCase().normalize('NFKC') : normal])
    }
    expect(disguised.length).toBeGreaterThanOrEqual(4)
    for (const [character, query] of disguised) expect(await placesIn(`a-${character}`, { query })).toEqual(['1:3'])
  })
})

describe('lines', () => {
  it('are numbered from 1 and end at LF or CR LF, each with its first match', async () => {
    const text = 'a x\r\n\r\nx\n  x x\nb\nx\r\n'
    expect(await placesIn(text, { query: 'x' })).toEqual(['1:3', '3:1', '4:3', '6:1'])
    expect(await placesIn(text, { query: 'x', regex: true })).toEqual(['1:3', '3:1', '4:3', '6:1'])
    expect((await hitsIn(text, { query: 'x' })).map(({ snippet }) => snippet)).toEqual(['a x', 'x', '  x x', 'x'])
  })

  it('anchor an expression, empty ones included, and the last LF starts none', async () => {
    expect(await placesIn('a\n\nb\n', { query: '^$', regex: true })).toEqual(['2:1'])
    expect(await placesIn('\n', { query: '^$', regex: true })).toEqual(['1:1'])
    expect(await placesIn('ab\nb\r\n', { query: '^b$', regex: true })).toEqual(['2:1'])
    expect(await placesIn('a\nb', { query: 'a\\s*b', regex: true })).toEqual([])
    expect(await placesIn('', { query: '^', regex: true })).toEqual([])
  })

  it('do not include a byte order mark', async () => {
    expect(await hitsIn('\ufeffone', { query: 'one' })).toEqual([{ line: 1, column: 1, snippet: 'one', isCut: false }])
    expect(await placesIn('\ufeffone', { query: '^one', regex: true })).toEqual(['1:1'])
  })

  it('keep their numbers across blocks', async () => {
    const text = `${'some words here\n'.repeat(60_000)}Needle\n${'é\n'.repeat(200_000)}needle`
    for (const regex of [false, true]) expect(await placesIn(text, { query: 'needle', regex })).toEqual(['60001:1', '260002:1'])
    expect(await placesIn(text.replaceAll('eedle', 'éedle'), { query: 'NÉedle' })).toEqual(['60001:1', '260002:1'])
  })

  it('beyond a megabyte are searched at their start, and that is said', async () => {
    const text = `${'é'.repeat(400_000)}needle${'é'.repeat(400_000)}tail\nneedle`
    const steps = await stepsIn(text, { query: 'needle' })
    expect(steps.filter((step) => typeof step !== 'string').map(({ line, column }) => [line, column])).toEqual([[1, 400_001], [2, 1]])
    expect(steps.filter((step) => step === 'long-line')).toHaveLength(1)
    expect(await placesIn(text, { query: 'tail' })).toEqual([])
  })

  it('are searched in little time where marks stand in long rows, of which 30 stay', async () => {
    expect(await placesIn(`e${'\u0301\u0323'.repeat(100_000)}x\nx`, { query: 'x' })).toEqual(['1:31', '2:1'])
  })

  it('are searched for less of their length by a long query', async () => {
    const text = `${'é'.repeat(100_000)}\nb`
    const cut = async (length: number): Promise<readonly unknown[]> => (await stepsIn(text, { query: `${'é'.repeat(length - 1)}b` })).filter((step) => step === 'long-line')
    expect(await cut(400)).toHaveLength(0)
    expect(await cut(2_000)).toHaveLength(1)
  })

  it('are searched by a large expression for as long as one step may take', async () => {
    const steps = await stepsIn(`${'a'.repeat(5000)}b\nb`, { query: '(?:a?){500}b', regex: true })
    expect(steps.filter((step) => step === 'long-line')).toHaveLength(1)
    expect(steps.at(-1)).toBe('pause')
  })
})

describe('an expression', () => {
  it('looks behind, in time that grows with the text alone', async () => {
    const text = 'key = value\nother = value\n#TODO\n# TODO'
    expect(await placesIn(text, { query: '(?<=key = )\\w+', regex: true })).toEqual(['1:7'])
    expect(await placesIn(text, { query: '(?<!# )TODO', regex: true })).toEqual(['3:2'])
    const start = performance.now()
    expect(await placesIn(`${'a'.repeat(100_000)}!\nab`, { query: '(?<=^(?:a+)+)b', regex: true })).toEqual(['2:2'])
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it.each([
    ['\\u00e9t\\u00E9', 'été'], ['\\u{1F600}', '😀'], ['\\ud83d\\ude00+ ', '😀 '], ['[\\u0041-\\u{5a}]+', 'ABC'], ['\\u0028', '('], ['[\\u005d]', ']'],
    ['\\\\u0041', '\\u0041'], ['\\Q\\u0041\\E', '\\u0041'], ['\\p{Script=Greek}+', 'ναι'], ['\\P{sc=Latin}', 'ν'], ['\\p{gc=Lu}', 'A'], ['\\p{General_Category=Nd}', '٣'],
  ])('spells characters and classes as JavaScript does: %s finds %s', async (query, text) => {
    expect(await placesIn(`a${text}a`, { query, regex: true, caseFold: false })).toEqual(['1:2'])
    expect(await placesIn('a', { query, regex: true, caseFold: false })).toEqual([])
  })
})

const ASCII = 'kKsS;`aA \n\r.*([\\'
const OTHER = ['ſ', '\u212a', 'ß', 'ẞ', 'é', 'e\u0301', '\u0301', '🙂', '日', '\u037e', 'İ', 'ς', 'Σ']
const letters = fc.constantFrom(...ASCII, ...OTHER)
const query = fc.array(letters, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('').replace(/[\r\n]/g, '')).filter((text) => text !== '')

/** What the search of text promises, written the slow way. */
const expected = (text: string, literal: string, caseFold: boolean): readonly string[] => {
  const pattern = new RegExp(literal.normalize('NFC').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), caseFold ? 'iu' : 'u')
  const lines = text.normalize('NFC').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.flatMap((line, index) => {
    const found = pattern.exec(line.replace(/\r$/, ''))
    return found === null ? [] : [`${index + 1}:${found.index + 1}`]
  })
}

describe('literal search', () => {
  it('finds the same in bytes as in text, whatever the text', async () => {
    await fc.assert(fc.asyncProperty(fc.array(letters, { maxLength: 60 }), query, fc.boolean(), async (parts, literal, caseFold) => {
      const text = parts.join('')
      expect(await placesIn(text, { query: literal, caseFold })).toEqual(expected(text, literal, caseFold))
    }), { numRuns: 1000 })
  })

  it('finds what an expression without operators finds', async () => {
    const word = fc.array(fc.constantFrom('a', 'B', 'é', 'ſ', 'Σ', ' '), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
    await fc.assert(fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'É', 's', 'ς', ' ', '\n'), { maxLength: 60 }), word, async (parts, literal) => {
      const asked: Asked = { query: literal }
      expect(await hitsIn(parts.join(''), { ...asked, regex: true })).toEqual(await hitsIn(parts.join(''), asked))
    }), { numRuns: 200 })
  })
})
