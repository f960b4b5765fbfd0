import type { Family } from '../../kernel/resource.ts'
import { packContext } from './pack-context.ts'
import { workingsetGet } from './workingset-get.ts'
import { workingsetUpdate } from './workingset-update.ts'

/** What a caller works with: references that it keeps, and bundles that are made of them. */
export const context: Family = { name: 'context', tools: [packContext, workingsetGet, workingsetUpdate], resources: [], prompts: [] }
