import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../kernel/refusal.ts'
import { parseWebhookEntry, webhookDestination } from './webhook.ts'
import type { WebhookEntry } from './webhook.ts'

const entries = (...texts: string[]): WebhookEntry[] => texts.map((text) => parseWebhookEntry(text)).filter((entry) => entry !== undefined)
const LIST = entries('https://hooks.example.com/in/', 'https://*.partner.example/', 'https://api.example.org:8443/cb')
const verdict = (url: string, list = LIST): string => {
  const judged = webhookDestination(url, list)
  return judged instanceof Refusal ? judged.code : judged.href
}

describe('the list of webhook destinations', () => {
  it.each([
    'https://hooks.example.com/in/', 'https://hooks.example.com./in/x', 'https://hooks.example.com/in/a%20b', 'https://hooks.example.com/in/a%2Fb',
    'https://a.b.partner.example/', 'https://hooks.example.com/in/...', 'https://hooks.example.com/in/..a', 'https://hooks.example.com/in/a;..b',
    'https://hooks.example.com/in/a b?c d', 'https://hooks.example.com/in/..%20b', 'https://hooks.example.com/in/%E6%96%87%C0', 'https://hooks.example.com/in/100%', 'https://hooks.example.com/in/a%3F..',
  ])('lets %j out', (url) => expect(verdict(url)).toMatch(/^https:/))

  it.each([
    'https://partner.example/', 'https://hooks.example.com/in%2F..%2Fadmin', 'https://hooks.example.com/in/%252e%252e/admin', 'https://hooks.example.com/in/..%5cadmin',
    'https://hooks.example.com/in/..;/admin', 'https://hooks.example.com/in/..%3bx/admin', 'https://hooks.example.com/in/%00', 'https://api.example.org:8443/cb/', 'https://api.example.org/cb',
    'https://hooks.example.com/in/%%32%65./admin', 'https://hooks.example.com/in/.%09./admin', 'https://hooks.example.com/in/..%20/admin', 'https://hooks.example.com/in/.. /admin', 'https://hooks.example.com/in/..%3F',
    'https://hooks.example.com/in/%c0%ae%c0%ae/admin', 'https://hooks.example.com/in/..%E0%80%AFadmin', 'https://hooks.example.com/in/%25f0%2580%2580%25ae./admin', 'https://hooks.example.com/in/．．/admin', 'https://hooks.example.com/in/‥／admin',
    'https:hooks.example.com/in/x', 'https:/hooks.example.com/in/x', 'https:///hooks.example.com/in/x', ' https://hooks.example.com/in/x', 'https://hooks.example.com/in/x\n',
    'https://hooks.example.com:443@evil.test/in/', 'https://hooks.example.com\\@evil.test/in/', 'https://hooks.exаmple.com/in/x',
  ])('keeps %j in', (url) => expect(verdict(url)).not.toMatch(/^https:/))

  it.each([
    ['https://one.example', 'https://one.example/any/where'],
    ['HTTPS://ONE.example:443/In/', 'https://one.example/In/x'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['http://[2606:4700::1111]/', 'http://[2606:4700:0::1111]/x'],
  ])('reads the entry %j', (entry, url) => expect(verdict(url, entries(entry))).toMatch(/^https?:/))

  it.each([
    '', '*', 'https://', 'https://*', 'https://*.', '//hooks.example.com/', 'https://a.example/x?y', 'https://a.example/#f', 'https://u:p@a.example/', 'https://a.*.example/',
    'https://.*\\.example/', 'https://a.example/in/../', 'https://a.example/in/%2e%2e/', 'https://a.example:0/', 'https://a.example:99999/', 'javascript:alert(1)', 'https://*.1.2.3.4/', 'https:a.example/', 'https://a.example/in://*.b/',
  ])('does not read the entry %j', (entry) => expect(parseWebhookEntry(entry)).toBeUndefined())

  it('lets nothing out of an empty list', () => expect(verdict('https://hooks.example.com/in/x', [])).toBe('notify.destination'))

  it('never lets out a URL whose parts are not those of an entry', () => {
    const part = fc.constantFrom('hooks.example.com', 'evil.test', '@', ':', '/', '\\', '..', '%2e', '%2F', '.', 'in', '?', '#', 'https', 'x', '443', ';', '。', '\t')
    fc.assert(fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const judged = webhookDestination(`https://${parts.join('')}`, entries('https://hooks.example.com/in/'))
      if (judged instanceof Refusal) return
      expect([judged.protocol, judged.host, judged.username, judged.password]).toEqual(['https:', 'hooks.example.com', '', ''])
      expect(judged.pathname.startsWith('/in/')).toBe(true)
      expect(decodeURIComponent(judged.pathname.replace(/%(?![0-9a-f]{2})/gi, '%25')).split('/')).not.toContain('..')
    }), { numRuns: 3000 })
  })
})
