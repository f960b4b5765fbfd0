/** The token of the API: the operator's, or one that is made once and kept in a private file. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { keptSecret } from '../exits/disk/kept-secret.ts'

export interface ApiToken {
  /** Undefined where the operator spelled that there is none. */
  readonly token: string | undefined
  /** Where it is kept; undefined where it came from the settings. */
  readonly file: string | undefined
}

/** @throws ConfigError when one has to be made and cannot be kept. */
export function apiTokenOf({ apiToken, dangerouslyApiWithoutToken }: Settings, dataDir: string): ApiToken {
  if (apiToken !== undefined) return { token: apiToken, file: undefined }
  if (dangerouslyApiWithoutToken) return { token: undefined, file: undefined }
  const file = join(dataDir, 'api.token')
  const token = keptSecret(file)
  // A token that nobody can look up lets nobody in.
  if (!existsSync(file)) throw new ConfigError(['ARROWHEAD_DATA_DIR: a token cannot be kept there; name a folder that this user can write, or set ARROWHEAD_API_TOKEN'])
  return { token, file }
}
