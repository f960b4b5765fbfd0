/** Takes tools of a workspace server out of service, those of its assistant too. */

import type { Settings } from '../config/index.ts'
import type { Registry } from '../guard/view.ts'
import { applyKillSwitch } from './kill-switch.ts'

/** Settings that name tools of the larger catalogue say nothing here. @returns a function that stops watching. */
export function switchOff({ disabledTools = [], killSwitchFile }: Settings, registry: Registry): () => void {
  const names = new Set(registry.all.map(({ name }) => name))
  const settings = { disabledTools: disabledTools.filter((name) => names.has(name)), disabledPrompts: [], disabledResources: [], killSwitchFile }
  return applyKillSwitch(settings, registry, names, () => {})
}
