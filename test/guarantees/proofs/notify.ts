import { expect } from 'vitest'
import { codeOf } from '../probes.ts'
import type { Area } from '../proves.ts'

const granting = (prefix: string, actions = ['notify']): string => JSON.stringify({ grants: [{ subject: 'ann', actions, kinds: ['url'], prefix }] })

export const notify: Area = (proves) => {
  proves('notify.listed', 'a message goes where the list and a grant both allow it, and nowhere else', async ({ open }) => {
    const ask = async (url: string, authzPolicy: string, notifyAllowlist: readonly string[] = ['https://hooks.invalid/in/']): Promise<string> =>
      codeOf(await open({ settings: { notifyAllowlist, authzPolicy, notifyTimeoutSeconds: 1 }, as: { subject: 'ann', scopes: ['notify:send'] } }).call('notify_webhook', { url, payload: { text: 'done' } }))
    expect(await ask('https://hooks.invalid/in/a', granting('https://hooks.invalid/in'), [])).toBe('component.unknown')
    expect(await ask('https://hooks.invalid/in/a', granting('https://hooks.invalid/in', ['fetch', 'read']))).toBe('access.denied')
    for (const url of ['https://hooks.invalid/other', 'https://hooks.invalid.evil.test/in/a', 'https://hooks.invalid/in/../other', 'http://hooks.invalid/in/a', 'https://hooks.invalid:8443/in/a', 'https://hooks.invalid/in']) {
      expect([url, await ask(url, granting(''))]).toEqual([url, 'notify.destination'])
    }
    // No name ends in .invalid (RFC 6761 §6.4), so what is let through gets as far as not being found.
    expect(await ask('https://hooks.invalid/in/a', granting('https://hooks.invalid/in'))).toMatch(/^egress\./)
  })
}
