/** The Big List of Naughty Strings as text: no tool that takes or gives text breaks on one, and none comes out as it must not. */

import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { page, testApp } from '../../src/testing/index.ts'
import type { TestApp } from '../../src/testing/index.ts'
import { catalog } from '../../src/tools/catalog.ts'

const FILE = new URL('../../../shared/corpora/strings/blns.json', import.meta.url)
const strings: readonly string[] = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as string[]) : []

/** What nobody may be sent: escapes and controls but tab and line ends, zero-width but joiners in clusters, direction marks. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff]/u

const textOf = (outcome: Awaited<ReturnType<TestApp['call']>>): string => (outcome.is === 'ok' ? JSON.stringify(outcome.answer) : outcome.is)
const unescaped = (json: string): string => json.replaceAll(/\\u([0-9a-f]{4})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

describe.skipIf(strings.length === 0)('naughty strings (skipped where ../shared/corpora is absent)', () => {
  let world: TestApp
  beforeAll(() => {
    const documents = Object.fromEntries(strings.flatMap((text, index) => [[`${index}.md`, text], [`${index}.txt`, text], [`${index}.json`, JSON.stringify({ text })]]))
    const files = Object.fromEntries(strings.map((text, index) => [`${index}.txt`, text]))
    const web = async (url: string) => page(url, strings[Number(/^https:\/\/e\.test\/(\d+)\./.exec(url)?.[1])] ?? '', url.endsWith('.md') ? 'text/markdown' : 'text/plain')
    world = testApp({ documents, files, settings: { rateLimitEnabled: false }, options: { replace: { services: { egress: { get: web } } } } })
  })

  it('are as many as the list says', () => {
    expect(strings.length).toBeGreaterThan(500)
  })

  it.each([
    ['doc_read', (index: number) => ({ path: `${index}.md` })], ['doc_read', (index: number) => ({ path: `${index}.txt` })], ['doc_read', (index: number) => ({ path: `${index}.json` })],
    ['doc_retrieve', (index: number) => ({ url: `https://e.test/${index}.md` })], ['safe_fetch', (index: number) => ({ url: `https://e.test/${index}.txt` })],
    ['read_file', (index: number) => ({ path: `${index}.txt` })],
  ])('come out of %s clean, or are refused', async (name, args) => {
    for (const index of strings.keys()) {
      const outcome = await world.call(name, args(index))
      expect([index, outcome.is]).not.toEqual([index, 'fault'])
      expect([index, FORBIDDEN.test(unescaped(textOf(outcome)))]).toEqual([index, false])
    }
  }, 60_000)

  const takers = catalog.flatMap(({ tools }) => tools).flatMap(({ name, input, examples }) => {
    const properties = (input.json['properties'] ?? {}) as Readonly<Record<string, { type?: unknown }>>
    return Object.entries(properties).filter(([, { type }]) => type === 'string').map(([field]) => [name, field, examples[0]?.input] as const)
  })

  it.each(takers)('go into %s as %s without a fault', async (name, field, input) => {
    for (const text of strings) {
      const outcome = await world.call(name, { ...(input as object), [field]: text })
      expect([text, outcome.is]).not.toEqual([text, 'fault'])
      expect([text, FORBIDDEN.test(unescaped(textOf(outcome)))]).toEqual([text, false])
    }
  }, 60_000)
})
