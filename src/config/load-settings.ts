/**
 * Loads the settings, once, at start: flag before environment before `.env` before config file
 * before default. Everything that is wrong is reported together, and nothing of what was given.
 */

import { checkSettings } from './check-settings.ts'
import { ConfigError } from './config-error.ts'
import { deriveSettings } from './derive-settings.ts'
import { readSources } from './read-sources.ts'
import type { Candidate, SourceName, Sources } from './read-sources.ts'
import { SETTINGS } from './settings.ts'
import type { Setting, Settings } from './settings.ts'

/** Where a value came from; `derived` ones follow from other settings. */
export type Source = SourceName | 'default' | 'derived'

export interface LoadedSettings {
  readonly values: Settings
  /** By `Setting.key`, one entry per setting. */
  readonly sources: ReadonlyMap<string, Source>
}

type Judged = { readonly value: unknown } | { readonly problem: string }

/** An empty text switches an optional setting off, unless its kind takes empty for a value. */
const isBlank = ({ kind, fallback }: Setting, raw: unknown): boolean =>
  fallback === undefined && kind.blank === 'unset' && typeof raw === 'string' && raw.trim() === ''

function candidateValue({ kind }: Setting, { source, raw }: Candidate): unknown {
  if (source === 'file') return kind.fromFile(raw)
  if (typeof raw === 'string') return kind.parseText(raw)
  if (typeof raw === 'boolean') return kind.type === 'boolean' ? raw : undefined
  return kind.type === 'list' && Array.isArray(raw) ? kind.parseText(raw.join(',')) : undefined
}

function judge(candidate: Candidate): Judged {
  const { setting, spelled, raw } = candidate
  if (isBlank(setting, raw)) return { value: undefined }
  const judged = setting.kind.schema().safeParse(candidateValue(setting, candidate))
  return judged.success ? { value: judged.data } : { problem: `${spelled}: accepts ${setting.kind.accepts}` }
}

interface Given {
  readonly values: ReadonlyMap<string, unknown>
  readonly sources: ReadonlyMap<string, SourceName>
  readonly spelled: ReadonlyMap<string, string>
  readonly wrong: ReadonlySet<string>
  readonly problems: readonly string[]
}

function judgeAll(candidates: readonly Candidate[]): Given {
  const values = new Map<string, unknown>()
  const sources = new Map<string, SourceName>()
  const spelled = new Map<string, string>()
  const wrong = new Set<string>()
  const problems: string[] = []
  for (const candidate of candidates) {
    const { key } = candidate.setting
    const judged = judge(candidate)
    spelled.set(key, candidate.spelled)
    if ('problem' in judged) {
      wrong.add(key)
      problems.push(judged.problem)
    } else {
      values.set(key, judged.value)
      sources.set(key, candidate.source)
    }
  }
  return { values, sources, spelled, wrong, problems }
}

const freeze = (value: unknown): unknown => (Array.isArray(value) ? Object.freeze([...value]) : value)

/** Builds the value object; the shape of `Settings` holds because it is computed from the same declarations. */
function assemble(given: ReadonlyMap<string, unknown>): Settings {
  const values: Record<string, unknown> = {}
  const perMinute: Record<string, unknown> = Object.create(null)
  for (const { key, rate, fallback } of SETTINGS) {
    const value = freeze(given.has(key) ? given.get(key) : fallback)
    if (rate === undefined) values[key] = value
    else perMinute[rate] = value
  }
  return Object.freeze({ ...values, perMinute: Object.freeze(perMinute) }) as Settings
}

const sourcesOf = (given: Given, derived: readonly string[]): ReadonlyMap<string, Source> =>
  new Map(SETTINGS.map(({ key }) => [key, derived.includes(key) ? 'derived' : (given.sources.get(key) ?? 'default')]))

/**
 * Reads, judges and combines all sources.
 * @throws ConfigError listing every problem, one line each, with the name as it was written.
 */
export function loadSettings(from: Sources): LoadedSettings {
  const { candidates, problems } = readSources(from)
  const given = judgeAll(candidates)
  const settings = assemble(given.values)
  const conflicts = checkSettings(settings, given.spelled)
    .filter(({ keys }) => !keys.some((key) => given.wrong.has(key)))
    .map(({ says }) => says)
  const all = [...problems, ...given.problems, ...conflicts]
  if (all.length > 0) throw new ConfigError(all)
  const derived = deriveSettings(settings)
  return {
    values: Object.freeze({ ...settings, ...derived }),
    sources: sourcesOf(given, Object.keys(derived)),
  }
}
