import { expect, it } from 'vitest'
import { tokensOf } from './lexer.ts'

it('reads a name of SQLite in square brackets, and refuses one that is not closed', () => {
  expect(tokensOf('select [a b]', 'sqlite').map(({ kind }) => kind)).toEqual(['word', 'name'])
  for (const text of ['select [a', 'select a]', '['.repeat(16_000)]) expect(() => tokensOf(text, 'sqlite')).toThrow(expect.objectContaining({ code: 'sql.syntax' }))
})
