/** The settings as the doors and the composition root use them. */

export { ConfigError } from './config-error.ts'
export { announceRisks, explainSettings } from './explain-settings.ts'
export { loadSettings } from './load-settings.ts'
export type { LoadedSettings } from './load-settings.ts'
export type { FlagValue } from './read-sources.ts'
export { renderEnvExample } from './render-env-example.ts'
export { renderJsonSchema } from './render-json-schema.ts'
export { renderReference } from './render-reference.ts'
export { secretValues } from './secret-values.ts'
export { SETTINGS } from './settings.ts'
export type { Settings } from './settings.ts'
export { platformConfigFile, platformDataDir } from './platform-data-dir.ts'
