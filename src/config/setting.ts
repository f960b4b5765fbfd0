/**
 * The form in which every setting is declared: a kind, a default, one sentence. Environment name,
 * flag and config file key are derived from the name it is declared under, never written down.
 */

import { toggle } from './kinds.ts'
import type { Kind } from './kinds.ts'

export interface Declared<Value> {
  readonly kind: Kind<NonNullable<Value>>
  /** The default; undefined where leaving the setting out has a meaning of its own. */
  readonly fallback: Value
  /** What it does, in one sentence. */
  readonly says: string
  /** A secret is never shown, neither in explanations nor in errors. */
  readonly secret: boolean
  /** What can go wrong once the setting differs from its default. */
  readonly risk: string | undefined
  readonly dangerously: boolean
}

export interface DangerousSwitch extends Declared<boolean> {
  readonly dangerously: true
}

interface Sentences {
  readonly says: string
  readonly secret?: true
  readonly risk?: string
}

interface WithDefault<Value> extends Sentences {
  readonly default: Value
}

/** Declares a setting. Without a default, its value may be undefined. */
export function setting<Value>(kind: Kind<Value>, spec: WithDefault<NoInfer<Value>>): Declared<Value>
export function setting<Value>(kind: Kind<Value>, spec: Sentences): Declared<Value | undefined>
export function setting<Value>(
  kind: Kind<NonNullable<Value>>,
  spec: Sentences & { readonly default?: Value },
): Declared<Value | undefined> {
  return {
    kind,
    fallback: spec.default,
    says: spec.says,
    secret: spec.secret ?? false,
    risk: spec.risk,
    dangerously: false,
  }
}

/** Declares an unsafe switch: always off by default, always with its risk, spelled `dangerously…` in flags and files. */
export function dangerousSwitch(spec: { readonly says: string; readonly risk: string }): DangerousSwitch {
  return { kind: toggle(), fallback: false, says: spec.says, secret: false, risk: spec.risk, dangerously: true }
}

/** A value as its text form, or undefined where there is none. */
export const formatValue = ({ kind }: Declared<unknown>, value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : kind.formatText(value)

export type Declarations = Readonly<Record<string, Declared<unknown>>>

export interface Section<Group extends Declarations = Declarations> {
  readonly title: string
  readonly settings: Group
}

/** Settings of one subject, under the names that follow `ARROWHEAD_` in the environment. */
export const section = <Group extends Declarations>(title: string, settings: Group): Section<Group> => ({
  title,
  settings,
})

/** `JAIL_ROOT` as a type becomes `jailRoot`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>

/** `JAIL_ROOT` becomes `jailRoot`. */
export const camelCase = (name: string): string =>
  name.toLowerCase().replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `JAIL_ROOT` becomes `jail-root`. */
export const kebabCase = (name: string): string => name.toLowerCase().replaceAll('_', '-')
