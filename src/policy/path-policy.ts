/**
 * Which places may be read and changed, judged by names alone: deny beats allow, an exception lifts a denial for
 * exactly that name, and what is write-protected may still be read. It is asked about the path as it was written and
 * about the real one. Denials hold for a name as written, and without case, width, invisible characters and trailing
 * dots; permissions exactly as written.
 */

import { foldLetters, foldName, holdsCredentials } from './credential-paths.ts'
import { covers, parsePattern } from './path-pattern.ts'
import type { PathPattern } from './path-pattern.ts'

/** As a configuration writes it. */
export interface PathRules {
  /** Absent: everything below the roots. Empty: nothing. */
  readonly allow?: unknown
  readonly deny?: unknown
  readonly except?: unknown
  readonly denyWrite?: unknown
  readonly denyNames?: unknown
}

export type PathUse = 'read' | 'write'
/** Which rule said no, in the words of the configuration. */
export interface PathDenial {
  readonly rule: string
  readonly list: 'allow' | 'deny' | 'denyNames' | 'denyWrite' | 'credentials'
}

export interface PathPolicy {
  /** @param names from the root of the allowed folder, in normal form C. @param above those of the folder itself. */
  judge(names: readonly string[], use: PathUse, above?: readonly string[]): PathDenial | undefined
}

export type CompiledPaths = { readonly ok: true; readonly policy: PathPolicy } | { readonly ok: false; readonly problems: readonly string[] }

const LISTS = ['allow', 'deny', 'except', 'denyWrite', 'denyNames'] as const
const EVERYTHING = '**'

/** A list that is no list, or a pattern that cannot be read, is a problem: then there is no policy at all. */
export function compilePathPolicy(rules: PathRules): CompiledPaths {
  const problems: string[] = []
  const patterns = (list: (typeof LISTS)[number], fallback: readonly string[] = []): readonly PathPattern[] => {
    const given = rules[list] === undefined ? fallback : rules[list]
    if (!Array.isArray(given)) {
      problems.push(`${list}: must be a list of patterns`)
      return []
    }
    return given.flatMap((text: unknown, index) => {
      const parsed = parsePattern(text)
      if (!parsed.ok) {
        problems.push(`${list}: pattern ${index + 1} ${parsed.problem}`)
        return []
      }
      const folded = list === 'allow' || list === 'except' ? parsed : parsePattern(foldLetters(parsed.pattern.text))
      return folded.ok && folded.pattern.text !== text ? [parsed.pattern, { ...folded.pattern, text: parsed.pattern.text }] : [parsed.pattern]
    })
  }
  const [allow, deny, except, denyWrite, denyNames] = [patterns('allow', [EVERYTHING]), patterns('deny'), patterns('except'), patterns('denyWrite'), patterns('denyNames')]
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, policy: policyOf({ allow, deny, except, denyWrite, denyNames }) }
}

/** The spellings for which one denial must hold; most names have only one. */
function spellingsOf(names: readonly string[]): readonly (readonly string[])[] {
  const all = [names, names.map(foldLetters), names.map(foldName)]
  return all.filter((one, index) => !all.slice(0, index).some((other) => other.every((name, at) => name === one[at])))
}

function policyOf({ allow, deny, except, denyWrite, denyNames }: Readonly<Record<(typeof LISTS)[number], readonly PathPattern[]>>): PathPolicy {
  const first = (patterns: readonly PathPattern[], names: readonly string[]): string | undefined => patterns.find((pattern) => covers(pattern, names))?.text
  /** Also as names from the root of the disk, so that a folder that is allowed by name is not outside of a rule. */
  const either = (patterns: readonly PathPattern[], names: readonly string[], above: readonly string[]): string | undefined => {
    for (const spelled of [...spellingsOf(names), ...(above.length > 0 ? spellingsOf([...above, ...names]) : [])]) {
      const rule = first(patterns, spelled)
      if (rule !== undefined) return rule
    }
    return undefined
  }
  return {
    judge(names, use, above = []) {
      const plain = names.filter((name) => name !== '.')
      if (first(except, plain) === undefined) {
        const named = spellingsOf([...above, ...plain]).flat().map((name) => first(denyNames, [name])).find((rule) => rule !== undefined)
        if (named !== undefined) return { rule: named, list: 'denyNames' }
        const denied = either(deny, plain, above)
        if (denied !== undefined) return { rule: denied, list: 'deny' }
        if (holdsCredentials(plain)) return { rule: 'files that hold credentials', list: 'credentials' }
      }
      if (use === 'write') {
        const kept = either(denyWrite, plain, above)
        if (kept !== undefined) return { rule: kept, list: 'denyWrite' }
      }
      if (plain.length > 0 && first(allow, plain) === undefined && !mayLead(allow, plain, use)) return { rule: allow.map(({ text }) => text).join(' '), list: 'allow' }
      return undefined
    },
  }
}

/** A folder on the way to something allowed may be passed through, not written. */
const mayLead = (allow: readonly PathPattern[], names: readonly string[], use: PathUse): boolean =>
  use === 'read' && allow.some(({ parts }) => {
    for (const [index, part] of parts.entries()) {
      if (part === 'names') return false
      if (index === names.length) return true
      if (!covers({ text: '', parts: [part] }, [names[index] ?? ''])) return false
    }
    return false
  })
