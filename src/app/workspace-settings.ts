/** Settings of the source tree, as a server of nothing else wants them: every language that is parsed, and large trees whole. */

import type { LoadedSettings, Settings } from '../config/index.ts'
import { LANGUAGE_EXTENSIONS } from '../services/symbols/index.ts'

const MAX_FILES = 50_000

/** What the operator set stays as it is. */
export function workspaceSettings({ values, sources }: LoadedSettings): Settings {
  const isSet = (key: keyof Settings): boolean => sources.get(key) !== 'default'
  return {
    ...values,
    ...(!isSet('repoAllowedExtensions') && { repoAllowedExtensions: [...new Set([...values.repoAllowedExtensions, ...LANGUAGE_EXTENSIONS])] }),
    ...(!isSet('repoSearchMaxFiles') && { repoSearchMaxFiles: MAX_FILES }),
  }
}
