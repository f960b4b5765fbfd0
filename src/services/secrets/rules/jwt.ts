/** JSON Web Tokens (RFC 7519 §3): signed, encrypted, or cut off after the claims. */

import { isAlnum, opensAt } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { SecretRule, Span } from '../rule.ts'

const MIN_HEADER = 12
const MAX_HEADER = 4_096
const MIN_PART = 8
const MAX_PARTS = 5

const isUrlSafe = (code: number): boolean => isAlnum(code) || code === 45 || code === 95

function endOfPart(text: string, at: number): number {
  let end = at
  while (isUrlSafe(text.charCodeAt(end))) end += 1
  return end
}

function isHeader(part: string): boolean {
  const json = Buffer.from(part, 'base64url').toString('latin1')
  return /^\s*\{\s*"/.test(json) && /"(?:alg|enc|typ|kid)"\s*:/.test(json)
}

function findJwt(text: string, at: number): Span | undefined {
  // One look at a run of its characters, wherever in it the prefix stands.
  if (!opensAt(text, at) || text[at - 1] === '-' || text[at - 1] === '_') return undefined
  const header = endOfPart(text, at)
  if (text[header] !== '.' || header - at < MIN_HEADER || header - at > MAX_HEADER || !isHeader(text.slice(at, header))) return undefined
  let [end, longest] = [header, 0]
  for (let part = 2; part <= MAX_PARTS && text[end] === '.'; part += 1) {
    const next = endOfPart(text, end + 1)
    longest = Math.max(longest, next - end - 1)
    end = next
  }
  if (longest < MIN_PART) return undefined
  // Full stops after the token belong to the sentence.
  while (text[end - 1] === '.') end -= 1
  return { start: at, end }
}

const HEADER = 'eyJ|hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9'

export const JWT: SecretRule = {
  type: 'JWT', kind: 'secret', rank: RANK.jwt,
  anchors: ['eyJ', 'eyA', 'ewo', 'ew0', 'ewk'].map((literal) => ({ literal, find: findJwt })),
  yes: [`${HEADER}.eyJzdWIiOiJq{url30}.{url43}`, `got «${HEADER}.eyJzdWIiOiJq{url60}», cut`, `«${HEADER}..{url16}.{url40}.{url22}»`],
  no: ['eyJust kidding', 'eyJ|hbGciOiJS...', 'eyJ{an40}.{an40}', HEADER],
}
