import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../kernel/refusal.ts'
import { checkDestination, isHostPattern, matchesHost, parseEgressUrl, parseEndpoint, portOf } from './egress-rules.ts'

const verdict = (raw: string, base?: string): string => {
  const parsed = parseEgressUrl(raw, base === undefined ? undefined : new URL(base))
  return parsed instanceof Refusal ? `${parsed.code} ${parsed.reason}` : parsed.href
}

const parsed = (raw: string): URL => {
  const url = parseEgressUrl(raw)
  if (url instanceof Refusal) throw url
  return url
}

describe('parseEgressUrl', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.COM./A', 'https://example.com/A'],
    ['https://bücher.example/文書', 'https://xn--bcher-kva.example/%E6%96%87%E6%9B%B8'],
    ['https://my_bucket.example.com/', 'https://my_bucket.example.com/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://127.0.0.1./', 'http://127.0.0.1/'],
    ['https://example.com/?next=http://127.0.0.1/@x', 'https://example.com/?next=http://127.0.0.1/@x'],
    ['https://example.com/a b?c d#e f', 'https://example.com/a%20b?c%20d#e%20f'],
    ['https://example.com/?q=\\d+#\\', 'https://example.com/?q=\\d+#\\'],
  ])('reads %s', (raw, href) => {
    expect(verdict(raw)).toBe(href)
  })

  it.each([
    ['', 'egress.url syntax'],
    ['example.com', 'egress.url syntax'],
    ['//example.com/', 'egress.url syntax'],
    ['http://', 'egress.url syntax'],
    ['http://[fe80::1%25eth0]/', 'egress.url syntax'],
    ['http://exa mple.com/', 'egress.url syntax'],
    ['http://1.1.1.1 &@example.com/', 'egress.url userinfo'],
    [' https://example.com/', 'egress.url characters'],
    ['https://example.com/ ', 'egress.url characters'],
    ['https://example.com/a\\b', 'egress.url characters'],
    ['https://example.com/\n', 'egress.url characters'],
    ['ht\ttps://example.com/', 'egress.url characters'],
    ['https://example.com/\u0085', 'egress.url characters'],
    ['https://evil.test\\@example.com/', 'egress.url characters'],
    ['https://user@example.com/', 'egress.url userinfo'],
    ['https://:secret@example.com/', 'egress.url userinfo'],
    ['https://example.com../', 'egress.url host'],
    ['https://a..example.com/', 'egress.url host'],
    ['file:///etc/passwd', 'egress.scheme scheme'],
    ['view-source:https://example.com/', 'egress.scheme scheme'],
    ['ws://example.com/', 'egress.scheme scheme'],
    [`https://example.com/${'a'.repeat(2048)}`, 'egress.url length'],
    [`https://example.com/${'é'.repeat(1000)}`, 'egress.url length'],
  ])('refuses %j', (raw, expected) => {
    expect(verdict(raw)).toBe(expected)
  })

  it('applies the same rules to a redirect target', () => {
    const base = 'https://example.com/a/b'
    expect(verdict('../c?d', base)).toBe('https://example.com/c?d')
    expect(verdict('//other.example/', base)).toBe('https://other.example/')
    expect(verdict('d e?f g', base)).toBe('https://example.com/a/d%20e?f%20g')
    expect(verdict('/\\other.example', base)).toBe('egress.url characters')
    expect(verdict('//u:p@other.example/', base)).toBe('egress.url userinfo')
    expect(verdict('file:///etc/hostname', base)).toBe('egress.scheme scheme')
  })

  it('answers a URL or a refusal for any text, and never quotes it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.webUrl()), (text) => {
        const answer = parseEgressUrl(text)
        if (answer instanceof Refusal) {
          if (text.length > 3) expect(`${answer.message}${answer.hint ?? ''}`.includes(`"${text}"`)).toBe(false)
        } else {
          expect(['http:', 'https:']).toContain(answer.protocol)
          expect(answer.hostname).not.toBe('')
          expect(answer.username + answer.password).toBe('')
        }
      }),
    )
  })
})

describe('matchesHost', () => {
  it.each([
    ['api.example.com', 'API.Example.COM'],
    ['api.example.com', 'api.example.com.'],
    ['api.example.com.', 'api.example.com'],
    ['*.example.com', 'a.example.com'],
    ['*.example.com', 'a.b.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.xn--bcher-kva.example', 'a.bücher.example'],
    ['[2606:4700::1]', '2606:4700:0::1'],
    ['2606:4700::1', '[2606:4700::1]'],
    ['8.8.8.8', '8.8.8.8'],
  ])('%s matches %s', (pattern, host) => {
    expect(matchesHost(pattern, host)).toBe(true)
  })

  it.each([
    ['api.example.com', 'api.example.com.evil.test'],
    ['api.example.com', 'evilapi.example.com'],
    ['api.example.com', 'apixexample.com'],
    ['*.example.com', 'example.com'],
    ['*.example.com', '.example.com'],
    ['*.example.com', 'xexample.com'],
    ['*.example.com', 'a.example.com.evil.test'],
    ['api.example.com', '\u0430pi.example.com'],
    ['*', 'example.com'],
    ['*.', 'example.com'],
    ['', ''],
    ['a*.example.com', 'ab.example.com'],
    ['*.*.example.com', 'a.b.example.com'],
    ['example.com:443', 'example.com'],
    ['https://example.com', 'example.com'],
    ['user@example.com', 'example.com'],
    ['example.com/', 'example.com'],
    ['*.8.8.8', '8.8.8.8'],
  ])('%s does not match %s', (pattern, host) => {
    expect(matchesHost(pattern, host)).toBe(false)
  })

  it('tells patterns that can match from those that cannot', () => {
    expect(['example.com', '*.example.com', '::1', '127.0.0.1'].every(isHostPattern)).toBe(true)
    expect(['*', '*.', '', 'a b', 'example.com:80', 'https://x', 'a..b', '%65xample.com'].some(isHostPattern)).toBe(
      false,
    )
  })
})

describe('checkDestination', () => {
  const code = (raw: string, policy: Parameters<typeof checkDestination>[1]): string | undefined =>
    checkDestination(parsed(raw), policy)?.code

  it('lets any host out on ports 80 and 443 when no list was set', () => {
    expect(code('http://example.com/', {})).toBeUndefined()
    expect(code('http://example.com:443/', {})).toBeUndefined()
    expect(code('https://example.com/', { allowedHosts: undefined, allowedPorts: undefined })).toBeUndefined()
    expect(code('http://example.com:8080/', {})).toBe('egress.port')
    expect(code('http://example.com:0/', {})).toBe('egress.port')
  })

  it('lets nothing out when a list was set and is empty', () => {
    expect(code('https://example.com/', { allowedHosts: [] })).toBe('egress.host')
    expect(code('https://example.com/', { allowedPorts: [] })).toBe('egress.port')
  })

  it('counts a default port as that port, per scheme', () => {
    expect(code('https://example.com/', { allowedPorts: [443] })).toBeUndefined()
    expect(code('http://example.com/', { allowedPorts: [443] })).toBe('egress.port')
    expect(code('http://example.com:443/', { allowedPorts: [80] })).toBe('egress.port')
    expect(portOf(parsed('https://example.com:443/'))).toBe(443)
  })
})

describe('parseEndpoint', () => {
  it.each([
    ['LocalHost:11434', 'localhost', 11434],
    ['127.0.0.1:80', '127.0.0.1', 80],
    ['[::1]:4318', '::1', 4318],
  ])('reads %s', (text, host, port) => {
    expect(parseEndpoint(text)).toEqual({ host, port })
  })

  it.each([
    'localhost',
    'localhost:',
    'localhost:0',
    'localhost:65536',
    '::1:80',
    '*.example.com:80',
    'http://a:80',
    'a:80/',
    'a:8 0',
  ])('does not read %s', (text) => {
    expect(parseEndpoint(text)).toBeUndefined()
  })
})
