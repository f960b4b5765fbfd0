/** What this deployment offers: profile, switches that take components away, levels. */

import { choice, list } from '../kinds.ts'
import { section, setting } from '../setting.ts'
import { componentName, levelOverride, path, resourceUri } from '../text-kinds.ts'

export const profile = section('Profile', {
  PROFILE: setting(choice(['core', 'docs', 'coding', 'full', 'assistant']), {
    default: 'full',
    says: 'Which families of tools are offered, where assistant adds those of this machine to core, docs, memory and data; a tool outside the profile is not registered and a call to it is answered as unknown.',
  }),
})

export const killSwitch = section('Kill switch', {
  DISABLED_TOOLS: setting(list(componentName()), {
    says: 'Tools taken out of service by name, answered as if they did not exist; unset and empty both take none away.',
  }),
  DISABLED_PROMPTS: setting(list(componentName()), {
    says: 'Prompts taken out of service by name; unset and empty both take none away.',
  }),
  DISABLED_RESOURCES: setting(list(resourceUri()), {
    says: 'Resources and resource templates taken out of service by URI; unset and empty both take none away.',
  }),
  KILL_SWITCH_FILE: setting(path(), {
    says: 'A file naming further components to take out of service while the server runs, one per line; unset, no file is watched.',
  }),
})

export const levels = section('Levels', {
  LEVEL_OVERRIDES: setting(list(levelOverride()), {
    risk: 'A level that was lowered lets a call through without the question or the refusal it would have met.',
    says: 'Levels that replace the ones components declare, for every caller; unset and empty both keep the declared levels.',
  }),
  ALLOW_RESTRICTED: setting(list(componentName()), {
    risk: 'A RESTRICTED tool can run code or send data out; naming it here lets every caller with the scope and the grant use it.',
    says: 'RESTRICTED tools that may be called although no switch of their family was thrown (the exec and notify families have their own); unset and empty both name none.',
  }),
})
