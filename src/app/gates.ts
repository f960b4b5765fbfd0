/** Which families exist in a deployment: its profile, then the gate of the family itself. */

import type { Settings } from '../config/index.ts'
import type { Family } from '../kernel/resource.ts'
import { ASSISTANT_PROFILE, assistantFamilies, PROFILES } from '../tools/catalog.ts'

/** A family with a gate is absent until the operator opens it; opening it is the opt-in into RESTRICTED. */
const GATES: Readonly<Record<string, (settings: Settings) => boolean>> = {
  exec: ({ execEnabled }) => execEnabled,
  notify: ({ notifyAllowlist }) => (notifyAllowlist?.length ?? 0) > 0,
}

/** The family of the user's own components: a profile chooses among ours. */
export const OWN = 'own'

/** The profile of the person at this machine; no other serves the families that reach it. */
export const ASSISTANT = 'assistant'
const LOCAL: ReadonlySet<string> = new Set(assistantFamilies.map(({ name }) => name))

export const isGated = (family: string): boolean => Object.hasOwn(GATES, family)

export function served(families: readonly Family[], settings: Settings): readonly Family[] {
  if (settings.profile === ASSISTANT) return families.filter(({ name }) => name === OWN || ASSISTANT_PROFILE.includes(name))
  const inProfile = Object.hasOwn(PROFILES, settings.profile) ? PROFILES[settings.profile] : undefined
  return families.filter(({ name }) => !LOCAL.has(name) && (name === OWN || (inProfile?.includes(name) ?? true)) && (GATES[name]?.(settings) ?? true))
}
