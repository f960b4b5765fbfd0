import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { repository, seen } from './repository.ts'

export const gitStatus = defineTool({
  name: 'git_status',
  title: 'Show what changed',
  summary: 'Returns the branch and the files that differ from the last commit, read without starting git.',
  scope: 'git:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['git'],

  input: z.strictObject({ path: repository }),
  output: z.strictObject({ branch: outsideLine(z.string()), changes: z.array(z.strictObject({ path: outsideLine(z.string()), state: z.enum(['added', 'modified', 'deleted', 'untracked', 'staged', 'unmerged']) })), truncated: z.boolean() }),
  examples: [{ title: 'The working folder', input: { path: '.' } }],

  touches: ({ path }, inspector) => seen(path, inspector),

  async run({ path }, { git }, { signal }) {
    const { branch, changes, truncated } = await git.status(path, { signal })
    return { branch, changes: changes.map((change) => ({ ...change })), truncated }
  },
})
