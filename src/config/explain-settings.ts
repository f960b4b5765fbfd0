/** Says what is in force and why: for `config explain`, and for the warnings at start. */

import type { LoadedSettings, Source } from './load-settings.ts'
import { formatValue } from './setting.ts'
import { SETTINGS } from './settings.ts'
import type { Setting, Settings } from './settings.ts'

export interface ExplainedSetting {
  /** The environment name. */
  readonly name: string
  /** As it would be written in the environment; `(set)` for a secret, `(unset)` and `(empty)` where there is nothing to show. */
  readonly value: string
  readonly source: Source
  readonly sentence: string
}

/** The value in force for one setting. */
export const valueInForce = (settings: Settings, { key, rate }: Setting): unknown =>
  rate === undefined ? (settings as Readonly<Record<string, unknown>>)[key] : settings.perMinute[rate]

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function shown(setting: Setting, value: unknown): string {
  const text = formatValue(setting, value)
  if (text === undefined) return '(unset)'
  if (isEmpty(value)) return '(empty)'
  return setting.secret ? '(set)' : text
}

/** One row per setting, in the order of the reference. */
export const explainSettings = ({ values, sources }: LoadedSettings): readonly ExplainedSetting[] =>
  SETTINGS.map((setting) => ({
    name: setting.env,
    value: shown(setting, valueInForce(values, setting)),
    source: sources.get(setting.key) ?? 'default',
    sentence: setting.says,
  }))

/** The risks the operator has taken on, one line each, to be announced at start; empty for the defaults. */
export const announceRisks = ({ values }: LoadedSettings): readonly string[] =>
  SETTINGS.flatMap((setting) => {
    const value = valueInForce(values, setting)
    const asDefault = formatValue(setting, value) === formatValue(setting, setting.fallback)
    const namesNothing = isEmpty(value) && setting.fallback === undefined
    return setting.risk === undefined || asDefault || namesNothing ? [] : [`${setting.env}: ${setting.risk}`]
  })
