import type { Family } from '../kernel/resource.ts'
import { assist } from './assist/index.ts'
import { context } from './context/index.ts'
import { core } from './core/index.ts'
import { data } from './data/index.ts'
import { docs } from './docs/index.ts'
import { exec } from './exec/index.ts'
import { files } from './files/index.ts'
import { git } from './git/index.ts'
import { host } from './host/index.ts'
import { memory } from './memory/index.ts'
import { notify } from './notify/index.ts'
import { repo } from './repo/index.ts'
import { tasks } from './tasks/index.ts'

/** Every family there is. Nothing is registered that is not in this list. */
export const catalog: readonly Family[] = [assist, context, core, data, docs, exec, memory, notify, repo, tasks]

/** Which families a profile serves. `full` is all of them. */
export const PROFILES: Readonly<Record<string, readonly string[]>> = {
  core: ['core'],
  docs: ['core', 'data', 'docs', 'memory', 'notify', 'tasks'],
  coding: ['assist', 'context', 'core', 'data', 'exec', 'repo'],
}

/** Families that reach the machine itself: served by the profile of the assistant alone. */
export const assistantFamilies: readonly Family[] = [files, git, host]
export const ASSISTANT_PROFILE: readonly string[] = ['core', 'data', 'docs', 'files', 'git', 'host', 'memory']
