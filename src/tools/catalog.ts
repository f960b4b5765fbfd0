import type { Family } from '../kernel/resource.ts'
import { core } from './core/index.ts'

/** Every family there is. Nothing is registered that is not in this list. */
export const catalog: readonly Family[] = [core]

/** Which families a profile serves. `full` is all of them. */
export const PROFILES: Readonly<Record<string, readonly string[]>> = {
  core: ['core'],
  docs: ['core', 'data', 'docs', 'memory', 'notify', 'tasks'],
  coding: ['assist', 'context', 'core', 'data', 'exec', 'repo'],
}
