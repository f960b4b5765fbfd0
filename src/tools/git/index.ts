import type { Family } from '../../kernel/resource.ts'
import { gitBranches } from './git-branches.ts'
import { gitDiff } from './git-diff.ts'
import { gitInfo } from './git-info.ts'
import { gitLog } from './git-log.ts'
import { gitStatus } from './git-status.ts'

/** Repositories of the person at this machine, read without starting git. */
export const git: Family = {
  name: 'git',
  tools: [gitBranches, gitDiff, gitInfo, gitLog, gitStatus],
  resources: [],
  prompts: [],
}
