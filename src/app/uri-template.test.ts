import { expect, it } from 'vitest'
import { templateMatcher } from './uri-template.ts'

it('matches a reserved variable with slashes, decoded once', () => {
  const { match, names } = templateMatcher('doc://{+path}')
  expect(names).toEqual(['path'])
  expect(match?.('doc://a/b%20c.md')).toEqual({ path: 'a/b c.md' })
  expect(match?.('doc://a%252e')).toEqual({ path: 'a%2e' })
  expect(match?.('doc://')).toBeUndefined()
  expect(match?.('other://a')).toBeUndefined()
  expect(match?.('doc://%zz')).toBeUndefined()
  expect(match?.(`doc://${'a'.repeat(9000)}`)).toBeUndefined()
})

it('keeps a simple variable to one segment', () => {
  const { match } = templateMatcher('item://{id}')
  expect(match?.('item://7')).toEqual({ id: '7' })
  expect(match?.('item://a/b')).toBeUndefined()
  expect(match?.('item://a%2Fb')).toBeUndefined()
})

it('takes a variable from the middle of a URI, and never out of what stands around it', () => {
  const { match, names } = templateMatcher('item://{id}/data')
  expect(names).toEqual(['id'])
  expect(match?.('item://7/data')).toEqual({ id: '7' })
  for (const uri of ['item:///data', 'item://data', 'item://7', 'item://7/data/', 'item://a/b/data', 'item://a%2Fb/data']) expect(match?.(uri), uri).toBeUndefined()
  // Where the two ends meet in one character, that character is not there twice.
  expect(templateMatcher('a/{+x}/b').match?.('a/b')).toBeUndefined()
})

it('does not guess at richer templates', () => {
  expect(() => templateMatcher('x://{a}/{b}')).toThrow(TypeError)
  expect(templateMatcher('x://plain').match).toBeUndefined()
})
