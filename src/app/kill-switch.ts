/** Takes components out of service: by settings at start, and by a watched file at any time. */

import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { watchText } from '../exits/disk/watch-text.ts'
import type { Registry } from '../guard/view.ts'

type KillSettings = Pick<Settings, 'disabledTools' | 'disabledPrompts' | 'disabledResources' | 'killSwitchFile'>

/**
 * @param names every name that may be switched off, whatever the profile.
 * @param onProblem hears of a line in the file that names nothing; the rest of the file still holds.
 * @returns a function that stops watching.
 * @throws ConfigError when a setting names nothing: a typo would leave the component in service.
 */
export function applyKillSwitch(
  settings: KillSettings, registry: Registry, names: ReadonlySet<string>, onProblem: (problem: string) => void,
): () => void {
  const { disabledTools = [], disabledPrompts = [], disabledResources = [], killSwitchFile } = settings
  const fixed = [...disabledTools, ...disabledPrompts, ...disabledResources]
  if (fixed.some((name) => !names.has(name))) {
    throw new ConfigError(['ARROWHEAD_DISABLED_TOOLS, _PROMPTS, _RESOURCES: each name must be one that `arrowhead tools list` shows, a URI or a URI template'])
  }
  if (fixed.length > 0) registry.disable(new Set(fixed))
  if (killSwitchFile === undefined) return () => {}

  let last: string | undefined
  return watchText(killSwitchFile, (text) => {
    // A file that vanished or cannot be read says nothing: what was off stays off.
    if (text === undefined || text === last) return
    last = text
    const listed = text.split('\n').map((line) => line.replace(/#.*/, '').trim()).filter(Boolean)
    const known = listed.filter((name) => names.has(name))
    if (known.length < listed.length) onProblem('the kill switch file names a component that does not exist')
    registry.disable(new Set([...fixed, ...known]))
  })
}
