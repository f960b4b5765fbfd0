import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHostOriginGuard } from './host-origin.ts'
import type { GuardSettings } from './host-origin.ts'

const guard = (settings: Partial<GuardSettings> = {}, port = 8000) =>
  createHostOriginGuard({ host: '127.0.0.1', allowedHosts: undefined, allowedOrigins: undefined, ...settings }, port)

describe('the Host header', () => {
  it('is one of the loopback names with the port, where nothing was set and only loopback is listened on', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '[::1]', '127.0.0.2']) {
      const { check, unchecked } = guard({ host })
      expect(unchecked).toEqual([])
      for (const value of ['127.0.0.1:8000', 'localhost:8000', '[::1]:8000', 'LocalHost:8000']) expect(check([value], [])).toBeUndefined()
    }
    expect(guard({ host: '127.0.0.2' }).check(['127.0.0.2:8000'], [])).toBeUndefined()
  })

  it.each([
    ['evil.test:8000'], ['localhost:8001'], ['localhost'], ['localhost.:8000'], ['localhost.evil.test:8000'], ['user@localhost:8000'], [''], [' '],
    ['localhost:8000 '], ['localhost:8000, evil.test'], ['0.0.0.0:8000'], ['[::ffff:127.0.0.1]:8000'], ['localhost:08000'], ['localhost:8000/x'], ['2130706433:8000'],
  ])('is refused as %j', (value) => {
    expect(guard().check([value], [])).toBe('http.host')
  })

  it('is refused when it is missing or sent twice', () => {
    expect(guard().check([], [])).toBe('http.host')
    expect(guard().check(['localhost:8000', 'localhost:8000'], [])).toBe('http.host')
  })

  it('matches any port of an entry without one, and only the port of an entry with one', () => {
    const { check } = guard({ allowedHosts: ['mcp.example', 'other.example:8443', 'web.example:443'] })
    for (const value of ['mcp.example', 'mcp.example:1', 'MCP.EXAMPLE:443', 'other.example:8443', 'web.example:443', 'web.example']) expect(check([value], [])).toBeUndefined()
    for (const value of ['other.example', 'other.example:443', 'web.example:80', 'localhost:8000']) expect(check([value], [])).toBe('http.host')
  })

  it('without a port is the default port', () => {
    expect(guard({}, 80).check(['localhost'], [])).toBeUndefined()
  })

  it('is never answered where the list was set and is empty', () => {
    expect(guard({ allowedHosts: [] }).check(['localhost:8000'], [])).toBe('http.host')
  })

  it('is not checked elsewhere than on loopback until a list is set, but must be one', () => {
    const { check, unchecked } = guard({ host: '0.0.0.0' })
    expect(unchecked).toEqual(['ARROWHEAD_ALLOWED_HOSTS', 'ARROWHEAD_ALLOWED_ORIGINS'])
    expect(check(['anything.example'], ['https://anything.example'])).toBeUndefined()
    expect(check([''], [])).toBe('http.host')
    expect(check(['a@b'], [])).toBe('http.host')
  })

  it('passes nothing that is longer or shorter than a listed name', () => {
    const { check } = guard()
    fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 8 }), fc.boolean(), (extra, before) => {
      const value = before ? `${extra}localhost:8000` : `localhost:8000${extra}`
      expect(check([value], [])).toBe('http.host')
    }))
  })
})

describe('the Origin header', () => {
  const { check, mayRead } = guard({ allowedOrigins: ['https://app.example', 'http://localhost:8000', 'vscode-webview://one'] })
  const judge = (...origins: readonly string[]) => check(['localhost:8000'], origins)

  it('may be absent', () => {
    expect(judge()).toBeUndefined()
  })

  it.each([['https://app.example'], ['HTTPS://APP.EXAMPLE'], ['https://app.example:443'], ['http://localhost:8000'], ['vscode-webview://one']])('passes as %s', (origin) => {
    expect(judge(origin)).toBeUndefined()
    expect(mayRead(origin)).toBe(true)
  })

  it.each([
    ['null'], ['file://'], [''], ['http://app.example'], ['https://app.example:8443'], ['https://app.example.evil.test'], ['https://evil.test'],
    ['http://localhost:8000.evil.test'], ['https://user@app.example'], ['https://app.example/'], ['app.example'], ['https://app.example, https://evil.test'],
  ])('is refused as %j', (origin) => {
    expect(judge(origin)).toBe('http.origin')
    expect(mayRead(origin)).toBe(false)
  })

  it('is refused when it is sent twice', () => {
    expect(judge('https://app.example', 'https://app.example')).toBe('http.origin')
  })

  it('is derived for loopback, and lets no page read where nothing is checked', () => {
    expect(guard().check(['localhost:8000'], ['http://127.0.0.1:8000'])).toBeUndefined()
    expect(guard().check(['localhost:8000'], ['http://127.0.0.1:3000'])).toBe('http.origin')
    expect(guard({ host: '0.0.0.0' }).mayRead('https://app.example')).toBe(false)
    expect(guard({ allowedOrigins: [] }).check(['localhost:8000'], ['http://localhost:8000'])).toBe('http.origin')
  })
})
