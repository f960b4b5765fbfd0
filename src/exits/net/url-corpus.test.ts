/** The web platform's URL test inputs through the real exit: whatever parses is refused or dialled where it may be. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scriptedConnection } from '../../../test/cases/ssrf.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { classifyAddress, parseAddress } from '../../policy/address.ts'
import { createEgress } from './index.ts'

interface Entry {
  readonly input: string
  readonly base: string | null
}

const file = new URL('../../../../shared/corpora/url/urltestdata.json', import.meta.url)
const entries: readonly Entry[] = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as readonly (Entry | string)[]).filter((entry) => typeof entry !== 'string')
  : []

const ANSWERS: readonly (readonly string[])[] = [
  ['93.184.215.14'],
  ['2606:4700:4700::1111', '8.8.8.8'],
  ['10.0.0.1'],
  ['8.8.4.4', '127.0.0.1'],
  ['::ffff:169.254.169.254'],
  [],
]

const isPublic = (text: string): boolean => {
  const bytes = parseAddress(text)
  return bytes !== undefined && classifyAddress(bytes) === 'public'
}

/** Fetches with the given answer to every look-up; says what was dialled and what came of it. */
const attempt = async (url: string, answer: readonly string[]) => {
  const dialled: string[] = []
  const asked: string[] = []
  const egress = createEgress({
    allowedPorts: [80, 443, 8080, 8443],
    maxBytes: 1000,
    timeoutMs: 10_000,
    maxRedirects: 0,
    userAgent: 'test',
    resolver: async (host) => {
      asked.push(host)
      return answer
    },
    connector: async ({ address }) => {
      dialled.push(address)
      return scriptedConnection(address, 'HTTP/1.1 204 No Content\r\n\r\n')
    },
  })
  const error = await egress.get(url, new AbortController().signal).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { dialled, asked, error }
}

/** The input as it is and, where it reads against its base, what it becomes there. */
const spellings = ({ input, base }: Entry): readonly string[] =>
  URL.canParse(input, base ?? undefined) ? [input, new URL(input, base ?? undefined).href] : [input]

describe('the URL corpus', () => {
  it.skipIf(entries.length === 0)(
    'is refused, or dialled only where it may be (skipped where it is absent)',
    async () => {
      let fetched = 0
      for (const [index, entry] of entries.entries()) {
        const answer = ANSWERS[index % ANSWERS.length] ?? []
        for (const url of spellings(entry)) {
          const { dialled, asked, error } = await attempt(url, answer)
          if (error !== undefined) expect(error).toBeInstanceOf(Refusal)
          expect(dialled.every(isPublic)).toBe(true)
          if (dialled.length === 0) continue
          fetched += 1
          const literal = new URL(url).hostname.replace(/^\[|\]$/g, '')
          expect(dialled).toEqual(asked.length === 0 ? [literal] : [answer[0]])
          expect(answer.every(isPublic) || asked.length === 0).toBe(true)
        }
      }
      expect(fetched).toBeGreaterThan(50)
    },
  )

  it.skipIf(entries.length === 0)(
    'is dialled nowhere by name when every look-up answers a private address',
    async () => {
      for (const entry of entries) {
        for (const url of spellings(entry)) {
          const { dialled, asked } = await attempt(url, ['169.254.169.254'])
          if (asked.length > 0) expect(dialled).toEqual([])
        }
      }
    },
  )
})
