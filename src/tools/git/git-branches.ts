import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { repository, seen } from './repository.ts'

export const gitBranches = defineTool({
  name: 'git_branches',
  title: 'List the branches',
  summary: 'Returns the current branch and the names of all others, read without starting git.',
  scope: 'git:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['git'],

  input: z.strictObject({ path: repository }),
  output: z.strictObject({ current: outsideLine(z.string()), local: z.array(outsideLine(z.string())), remote: z.array(outsideLine(z.string())) }),
  examples: [{ title: 'The working folder', input: { path: '.' } }],

  touches: ({ path }, inspector) => seen(path, inspector),

  async run({ path }, { git }, { signal }) {
    const { current, local, remote } = await git.branches(path, { signal })
    return { current, local: [...local], remote: [...remote] }
  },
})
