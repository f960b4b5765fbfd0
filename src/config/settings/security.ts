/** Levels, path policy and programs of the assistant: one object, in a file of the operator's alone. */

import * as z from 'zod'
import { once } from '../kinds.ts'
import type { Kind } from '../kinds.ts'
import { section, setting } from '../setting.ts'

/** An object that is read whole where it is used. No environment and no `.env` of a working directory may hold it. */
const objectInFile = (): Kind<Readonly<Record<string, unknown>>> => ({
  type: 'json',
  schema: once(() => z.record(z.string(), z.unknown())),
  accepts: 'an object, in the config file only',
  blank: 'value',
  parseText: () => undefined,
  fromFile: (value) => (Array.isArray(value) ? undefined : value),
  formatText: (value) => JSON.stringify(value),
})

export const security = section('Security of the assistant', {
  SECURITY: setting(objectInFile(), {
    risk: 'A folder, program or lower level that is named here is within reach of whatever a model asks for.',
    says: 'Levels of tools, allowed folders, path patterns and programs that may be run (docs/explain/assistant-policy.md); unset, the home folder without its secrets, and no commands.',
  }),
})
