/** Whose endpoint a credential would go to: what a folder names must not hear the key of whoever starts a command there. */

import type { LoadedSettings, Settings } from '../config/index.ts'
import { warn } from './finding.ts'
import type { Finding } from './finding.ts'

/** Which place each setting came from, by its key. */
export type Origins = LoadedSettings['sources']

const isOfFolder = (key: keyof Settings, origins: Origins | undefined): boolean => origins?.get(key) === '.env'

/** Whether a check may send these credentials to that endpoint: not from elsewhere to one that `./.env` names. */
export const comesWith = (endpoint: keyof Settings, credentials: readonly (keyof Settings)[], origins: Origins | undefined): boolean =>
  !isOfFolder(endpoint, origins) || credentials.every((key) => isOfFolder(key, origins))

/** @param variable names the endpoint. */
export const notTried = (what: string, variable: string): Finding =>
  warn(`${what}: the endpoint comes from ./.env and the key does not: not tried`, `set ${variable} where the key is set, if the endpoint is yours`)
