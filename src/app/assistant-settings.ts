/** Settings of the assistant, as the person at this machine wants them: its own profile, unless another was asked for. */

import type { LoadedSettings, Settings } from '../config/index.ts'

const PROFILE: Settings['profile'] = 'assistant'

/** What the operator set stays as it is. */
export function assistantSettings({ values, sources }: LoadedSettings): LoadedSettings {
  if (sources.get('profile') !== 'default') return { values, sources }
  return { values: Object.freeze({ ...values, profile: PROFILE }), sources: new Map([...sources, ['profile', 'derived']]) }
}
