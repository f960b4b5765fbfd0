import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statementsOf } from './sql-script.ts'

const split = (script: string): readonly (readonly [number, string])[] => statementsOf(script).map(({ line, sql }) => [line, sql] as const)

describe('a script', () => {
  it('is divided at the semicolons that end a statement, and at no other', () => {
    const script = `-- first; not this
select 'a;b', "c;d", $$e;f$$, $t$g;$$h$t$, E'i\\';j' /* k; /* l; */ m; */ ;

  ( select 1 );;
insert into t values ('it''s;')
`
    expect(split(script)).toEqual([
      [2, `select 'a;b', "c;d", $$e;f$$, $t$g;$$h$t$, E'i\\';j' /* k; /* l; */ m; */`], [4, '( select 1 )'], [5, "insert into t values ('it''s;')"],
    ])
  })

  it('keeps the body of a function whole', () => {
    const sql = 'create function f(n int) returns int begin atomic; select case when n > 1 then 2 end; select n; end'
    expect(split(`${sql};\nselect 2;`)).toEqual([[1, sql], [2, 'select 2']])
  })

  it('passes over what begins and ends the one transaction that it is', () => {
    expect(split('\\restrict abc\nBEGIN;\nselect 1;\nCOMMIT ;\n\\unrestrict abc\n')).toEqual([[3, 'select 1']])
    expect(split('start transaction; savepoint a; rollback to a; end work;')).toEqual([[1, 'savepoint a'], [1, 'rollback to a']])
    expect(split('')).toEqual([])
  })

  it.each([
    ['the end of its transaction', 'select 1;\nrollback;', /one transaction/, 2],
    ['the end of its transaction, in other words', 'select 1;\ncommit and chain;', /one transaction/, 2],
    ['rows beside a statement', '\n\ncopy t from stdin;\n1\n\\.\n', /COPY/, 3],
    ['a command of psql', 'select 1;\n\\connect other\n', /psql/, 2],
    ['a text without an end', "select 1;\nselect 'x;\n", /no end/, 2],
    ['a dollar quote without an end', 'select $a$ x; ', /no end/, 1],
    ['a comment without an end', 'select 1; /* /* */', /no end/, 1],
  ])('refuses %s, with its line', (_what, script, message, line) => {
    expect(() => split(script)).toThrow(expect.objectContaining({ message: expect.stringMatching(message), line }))
  })

  it('on one line is read once', () => {
    // Searched again at each statement, these are more than 10^12 characters.
    const found = statementsOf(`${'select 1;'.repeat(1_000_000)}\nselect 2`)
    expect([found.length, found.at(-2)?.line, found.at(-1)?.line]).toEqual([1_000_001, 1, 2])
  })

  it('of any pieces is divided into what it was made of', () => {
    const piece = fc.constantFrom("'a;b'", '"c;"', '$$;$$', '$x$ $$ ; $x$', '/* ; */', 'word', '1', '(', "E'\\';'", '--;\n', '+', 'é')
    const statement = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => `select ${pieces.join(' ')}`)
    fc.assert(fc.property(fc.array(statement, { maxLength: 4 }), (all) => {
      expect(statementsOf(`${all.join(';\n')};`).map(({ sql }) => sql)).toEqual(all.map((one) => one.trim()))
    }))
  })
})
