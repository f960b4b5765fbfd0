import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Access } from '../kernel/access.ts'
import { access } from '../kernel/access.ts'
import { ANONYMOUS, principal } from '../kernel/caller.ts'
import { DEFAULT_GRANTS, grantAuthorizer, isUnder, parseGrants } from './grants.ts'

const ada = principal('ada', new Set())
const byDefault = (one: Access, who = ada) => grantAuthorizer(DEFAULT_GRANTS).allows(who, one)

describe('the default grants', () => {
  it.each([
    ['read a document', access('read', 'document', 'hr/pay.md')],
    ['fetch a URL', access('fetch', 'url', 'https://example.com/')],
    ['write below the own subject', access('write', 'document', 'ada/a.md')],
    ['query a table', access('query', 'table', 'public.users')],
    ['read a repository file', access('read', 'repo_file', 'src/a.ts')],
    ['write memory', access('write', 'memory', 'notes')],
  ])('let a caller %s', (_what, one) => {
    expect(byDefault(one)).toBe(true)
  })

  it.each([
    ['write below another subject', access('write', 'document', 'bob/a.md')],
    ['write beside the own folder', access('write', 'document', 'ada-evil/a.md')],
    ['write the folder itself', access('write', 'document', 'ada')],
    ['execute', access('execute', 'sandbox', 'python')],
    ['ingest', access('ingest', 'table', 'doc_chunks')],
    ['notify', access('notify', 'url', 'https://example.com/')],
    ['query without a table', access('query', 'tableless', '')],
    ['scan a repository', access('scan', 'repo_file', 'a')],
  ])('do not let a caller %s', (_what, one) => {
    expect(byDefault(one)).toBe(false)
  })

  it('give an anonymous caller nothing', () => {
    expect(byDefault(access('read', 'document', 'a.md'), ANONYMOUS)).toBe(false)
  })

  it.each(['a/b', '..', 'x..y', '.', '/'])('give a subject such as %s no folder of its own', (subject) => {
    expect(byDefault(access('write', 'document', `${subject}/x.md`), principal(subject, new Set()))).toBe(false)
  })

  it.each([['$$ada', '$ada'], ['$&', '${subject}'], ['$`', ''], ["$'", ''], ['$1', '1'], ['${subject}', 'ada']])('give a subject such as %s its own folder and no other', (subject, other) => {
    const may = (folder: string) => byDefault(access('write', 'document', `${folder}/x.md`), principal(subject, new Set()))
    expect([may(subject), may(other), may(`/${other}`)]).toEqual([true, false, false])
  })
})

describe('a prefix', () => {
  it.each(['..%2fprivate', '%252e%252e/private', 'a/..;/../private', '%c0%ae%c0%ae/private', '\uff0e\uff0e/private', '..%5cprivate'])('of a URL does not cover a path that climbs as %s', (rest) => {
    expect(isUnder(`https://api.example/pub/${rest}`, 'https://api.example/pub/', 'url')).toBe(false)
    expect(isUnder(`https://api.example/pub/${rest}`, 'https://api.example/', 'url')).toBe(true)
  })

  it.each(['a.b..c/d', 'v1.2/%20x', '?file=../x', 'a%2fb', '%E4%BD%A0', '#../..'])('of a URL covers what only looks like it: %s', (rest) => {
    expect(isUnder(`https://api.example/pub/${rest}`, 'https://api.example/pub', 'url')).toBe(true)
  })

  it('covers itself and what lies below it, never a longer name', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z.-]{1,8}$/), (prefix, more) => {
      expect(isUnder(prefix, prefix, 'document')).toBe(true)
      expect(isUnder(`${prefix}/${more}`, prefix, 'document')).toBe(true)
      expect(isUnder(`${prefix}${more}`, prefix, 'document')).toBe(false)
    }))
  })

  it('ends at a dot for tables and nowhere else, so a host never covers a longer host', () => {
    expect(isUnder('crm.users', 'crm', 'table')).toBe(true)
    expect(isUnder('crm_old.users', 'crm', 'table')).toBe(false)
    expect(isUnder('https://api.example.evil.test/', 'https://api.example', 'url')).toBe(false)
  })
})

it('reaches a prefix if something below it could be allowed, and no other', () => {
  const name = fc.constantFrom('a', 'b', 'ab')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
  fc.assert(fc.property(path, fc.boolean(), path, fc.nat({ max: 6 }), (granted, isFolder, document, length) => {
    const authorizer = grantAuthorizer([{ subject: '*', actions: ['read'], kinds: ['document'], prefix: isFolder ? `${granted}/` : granted }])
    const prefix = document.slice(0, length)
    if (authorizer.allows(ada, access('read', 'document', document))) expect(authorizer.reaches(ada, access('read', 'document', prefix))).toBe(true)
  }))
  const notes = grantAuthorizer([{ subject: 'ada', actions: ['read'], kinds: ['document'], prefix: 'notes/' }])
  const reached = (id: string) => notes.reaches(ada, access('read', 'document', id))
  expect(['', 'n', 'notes', 'notes/', 'notes/a', 'hr/', 'notesx', 'x'].map(reached)).toEqual([true, true, true, true, true, false, false, false])
})

describe('a policy text', () => {
  it('is read as written', () => {
    const parsed = parseGrants('{"grants":[{"subject":"*","actions":["ingest","query"],"kinds":["table"],"prefix":"doc_chunks"}]}')
    expect(parsed).toMatchObject({ ok: true, grants: [{ prefix: 'doc_chunks' }] })
  })

  it.each([
    ['no JSON', 'nope'],
    ['no list', '{}'],
    ['an unknown action', '{"grants":[{"subject":"*","actions":["raed"],"prefix":""}]}'],
    ['an unknown kind', '{"grants":[{"subject":"*","actions":["read"],"kinds":["documents"],"prefix":""}]}'],
    ['an unknown field', '{"grants":[{"subject":"*","actions":["read"],"prefix":"","deny":true}]}'],
    ['a missing prefix', '{"grants":[{"subject":"*","actions":["read"]}]}'],
    ['an unknown variable', '{"grants":[{"subject":"*","actions":["read"],"prefix":"${user}/"}]}'],
    ['an empty subject', '{"grants":[{"subject":"","actions":["read"],"prefix":""}]}'],
  ])('with %s is an error that names the place', (_what, text) => {
    expect(parseGrants(text)).toMatchObject({ ok: false, problems: [expect.any(String)] })
  })

  it('may be empty, and then allows nothing', () => {
    const parsed = parseGrants('{"grants":[]}')
    expect(parsed).toEqual({ ok: true, grants: [] })
    expect(grantAuthorizer([]).allows(ada, access('read', 'document', 'a.md'))).toBe(false)
  })
})
