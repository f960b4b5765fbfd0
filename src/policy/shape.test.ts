import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shapeOf } from './shape.ts'

const known = (...names: string[]): ReadonlySet<string> => new Set(names)

describe('the shape of arguments', () => {
  it('names types and sizes of known keys in the order of the schema', () => {
    const value = { deep: { x: 1 }, list: [1, 2, 3], n: 4, expression: '2 + 3', on: true, none: null }
    expect(shapeOf(value, known('expression', 'n', 'list', 'on', 'none', 'deep'))).toBe(
      '{expression: string(5), n: number, list: array(3), on: boolean, none: null, deep: {+1 unknown}}',
    )
  })

  it('leaves out what is there without a value', () => {
    expect(shapeOf({ cursor: undefined }, known('cursor'))).toBe('{}')
    expect(shapeOf({ cursor: undefined, path: { deep: undefined, n: 1 }, other: 2 }, known('cursor', 'path', 'deep', 'n'))).toBe('{path: {n: number}, +1 unknown}')
  })

  it('counts unknown keys and never names them', () => {
    expect(shapeOf({ path: 'a', 'sk-live-1': 1, other: 2 }, known('path'))).toBe('{path: string(1), +2 unknown}')
    expect(shapeOf({ a: 1 })).toBe('{+1 unknown}')
    expect(shapeOf({})).toBe('{}')
  })

  it.each([
    ['string(4)', 'text'],
    ['number', 7],
    ['number', Number.NaN],
    ['boolean', false],
    ['null', null],
    ['undefined', undefined],
    ['array(1)', [['nested']]],
    ['bytes(9)', new Uint8Array(9)],
    ['bigint', 10n],
    ['function', () => 'secret'],
  ])('describes a bare value as %s', (shape, value) => {
    expect(shapeOf(value, known('secret'))).toBe(shape)
  })

  it('enters three levels of objects', () => {
    const value = { a: { a: { a: { a: 1 } } } }
    expect(shapeOf(value, known('a'))).toBe('{a: {a: {a: {…}}}}')
  })

  it('shows twenty keys and counts the others', () => {
    const names = Array.from({ length: 25 }, (_, index) => `k${index}`)
    const shape = shapeOf(Object.fromEntries(names.map((name) => [name, 1])), known(...names))
    expect(shape).toContain('k19: number, +5 more}')
    expect(shape).not.toContain('k20')
  })

  it('does not print a schema name that is not a plain word', () => {
    expect(shapeOf({ 'a\nb': 1 }, known('a\nb'))).toBe('{+1 unknown}')
  })

  it('does not call getters and survives a proxy that throws', () => {
    let called = 0
    const value = {
      get password(): string {
        called += 1
        return 'x'
      },
    }
    expect(shapeOf(value, known('password'))).toBe('{password: accessor}')
    expect(called).toBe(0)
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    )
    expect(shapeOf(hostile, known('a'))).toBe('unreadable')
  })

  it('ignores inherited keys, such as those of a polluted prototype', () => {
    expect(shapeOf(Object.create({ path: 'inherited' }), known('path', '__proto__', 'toString'))).toBe('{}')
  })

  it('stays short however large the value is', () => {
    const names = Array.from({ length: 40 }, (_, index) => `${'n'.repeat(60)}${index}`)
    const leaf = Object.fromEntries(names.map((name) => [name, 'x'.repeat(100_000)]))
    const wide = Object.fromEntries(names.map((name) => [name, { ...leaf, other: 1 }]))
    const shape = shapeOf(wide, known(...names))
    expect(shape.length).toBeLessThanOrEqual(400)
    expect(shape).toMatch(/more\}$/)
  })
})

const NAMES = ['alpha', 'beta', 'gamma']
const text = fc.string({ minLength: 12, unit: 'binary' }).filter((value) => value.trim().length >= 12)
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => String(value).length >= 8)
const tree = fc.letrec((tie) => ({
  node: fc.oneof({ maxDepth: 4 }, text, number, fc.array(tie('node'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), text), tie('node'), { maxKeys: 6 }),
}))

function leavesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  const strangers = Object.keys(value).filter((key) => !NAMES.includes(key))
  return [...strangers, ...Object.values(value).flatMap(leavesOf)]
}

/** Another value of the same shape: every text, number and unknown key is exchanged. */
function disguised(value: unknown): unknown {
  if (typeof value === 'string') return 'z'.repeat(value.length)
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return value.map(disguised)
  const members = Object.entries(value as object).map(
    ([key, member], index) => [NAMES.includes(key) ? key : `stranger${index}`, disguised(member)] as const,
  )
  return Object.fromEntries(members.reverse())
}

describe('the shape of any value', () => {
  it('never holds a value or an unknown key', () => {
    fc.assert(
      fc.property(tree.object, (value) => {
        const shape = shapeOf(value, new Set(NAMES))
        expect(leavesOf(value).filter((leaf) => shape.includes(leaf))).toEqual([])
      }),
    )
  })

  it('is the same for all values of one shape', () => {
    fc.assert(
      fc.property(tree.object, (value) => {
        expect(shapeOf(disguised(value), new Set(NAMES))).toBe(shapeOf(value, new Set(NAMES)))
      }),
    )
  })

  it('is one line of at most 400 characters', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withTypedArray: true }), (value) => {
        const shape = shapeOf(value, new Set(['', 'a', ' ', 'length', 'toString', '__proto__']))
        expect(shape.length).toBeLessThanOrEqual(400)
        expect(shape).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})
