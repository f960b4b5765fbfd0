/** Reads the `security` section of the config file. One that cannot be applied stops the start. */

import { userHome } from '../exits/disk/user-home.ts'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { parseSecurity } from '../policy/security.ts'
import type { Security } from '../policy/security.ts'
import type { Standpoint } from '../policy/spell-path.ts'
import { assistantFamilies, catalog } from '../tools/catalog.ts'
import type { AppOptions } from './ports.ts'

/** Fixed at the start: a later change of the working directory changes nothing. */
export const standpointOf = ({ home = userHome(), cwd = process.cwd() }: Pick<AppOptions, 'home' | 'cwd'>): Standpoint => ({ home, cwd })

/** Tools that a configuration may name, whatever the profile. */
export const toolNames = (own: AppOptions['tools'] = []): ReadonlySet<string> => new Set([...[...catalog, ...assistantFamilies].flatMap(({ tools }) => tools), ...own].map(({ name }) => name))

/** @throws ConfigError listing everything that is wrong. */
export function securityOf({ security }: Settings, options: AppOptions): Security {
  const parsed = parseSecurity(security, standpointOf(options), toolNames(options.tools))
  if (!parsed.ok) throw new ConfigError(parsed.problems)
  return parsed.security
}
