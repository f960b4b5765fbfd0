/**
 * Every setting there is. `Settings`, environment names, flags, file keys, the reference page, the
 * example file and the JSON Schema are all derived from the sections combined here.
 */

import { camelCase, kebabCase } from './setting.ts'
import type { CamelCase, DangerousSwitch, Declarations, Declared, Section } from './setting.ts'
import { assist } from './settings/assist.ts'
import { assistant } from './settings/assistant.ts'
import { audit, state } from './settings/audit.ts'
import { auth, authorization } from './settings/auth.ts'
import { embeddings, hybrid, ingestion, pgvector, sql } from './settings/data.ts'
import { calculate, corpus, docScan, docSearch, docWrite, readFileJail } from './settings/docs.ts'
import { egress, safeFetch } from './settings/egress.ts'
import { exec } from './settings/exec.ts'
import { cacheHints, limits } from './settings/limits.ts'
import { context, memory } from './settings/memory.ts'
import { notify } from './settings/notify.ts'
import { killSwitch, levels, profile } from './settings/profile.ts'
import { RATE_DEFAULTS, rateSettingName, rates } from './settings/rates.ts'
import type { PerMinute, RateName } from './settings/rates.ts'
import { repo } from './settings/repo.ts'
import { security } from './settings/security.ts'
import { tasks } from './settings/tasks.ts'
import { telemetry } from './settings/telemetry.ts'
import { httpLimits, stdioLimits, transport } from './settings/transport.ts'

const SECTIONS = [
  profile,
  transport,
  auth,
  authorization,
  killSwitch,
  levels,
  security,
  limits,
  state,
  audit,
  telemetry,
  httpLimits,
  stdioLimits,
  cacheHints,
  readFileJail,
  corpus,
  docSearch,
  docScan,
  docWrite,
  calculate,
  safeFetch,
  egress,
  sql,
  pgvector,
  embeddings,
  ingestion,
  hybrid,
  repo,
  assist,
  assistant,
  exec,
  context,
  memory,
  tasks,
  notify,
] as const

type Merge<Sections> = Sections extends readonly [Section<infer Head>, ...infer Tail] ? Head & Merge<Tail> : unknown

type All = Merge<typeof SECTIONS>

type KeyOf<Name, Spec> = Name extends string
  ? Spec extends DangerousSwitch
    ? `dangerously${Capitalize<CamelCase<Name>>}`
    : CamelCase<Name>
  : never

type ValueOf<Spec> = Spec extends Declared<infer Value> ? Value : never

/** The settings in force, every key present; `undefined` is "never set", which for a list differs from empty. */
export type Settings = { readonly [Name in keyof All as KeyOf<Name, All[Name]>]: ValueOf<All[Name]> } & {
  /** Calls per caller and minute, by the name of the ceiling, such as `SAFE_FETCH`. */
  readonly perMinute: PerMinute
}

/** One declared setting with all its names. */
export interface Setting extends Declared<unknown> {
  /** As declared, such as `JAIL_ROOT`. */
  readonly name: string
  /** `ARROWHEAD_JAIL_ROOT` */
  readonly env: string
  /** `--jail-root` */
  readonly flag: string
  /** `jailRoot`: the key in a config file, in `LoadedSettings.sources` and, but for ceilings, in `Settings`. */
  readonly key: string
  readonly section: string
  /** The ceiling this setting sets; it is found under `Settings.perMinute`. */
  readonly rate: RateName | undefined
}

export const ENV_PREFIX = 'ARROWHEAD_'

const RATE_BY_SETTING: ReadonlyMap<string, RateName> = new Map(
  RATE_DEFAULTS.map(({ name }) => [rateSettingName(name), name]),
)

function named(name: string, declared: Declared<unknown>, title: string): Setting {
  const full = declared.dangerously ? `DANGEROUSLY_${name}` : name
  return {
    name,
    env: ENV_PREFIX + name,
    flag: `--${kebabCase(full)}`,
    key: camelCase(full),
    section: title,
    rate: RATE_BY_SETTING.get(name),
    // Last, because some engines take a hundred times as long where members follow.
    ...declared,
  }
}

const rowsOf = ({ title, settings }: Section<Declarations>): Setting[] =>
  Object.entries(settings).map(([name, declared]) => named(name, declared, title))

/** All settings, section by section, in the order in which documents list them. */
export const SETTINGS: readonly Setting[] = [...SECTIONS, rates].flatMap((group) => rowsOf(group))
