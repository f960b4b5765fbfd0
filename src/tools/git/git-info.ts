import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { repository, seen } from './repository.ts'

export const gitInfo = defineTool({
  name: 'git_info',
  title: 'Describe a repository',
  summary: 'Returns the root, branch, last commit, remotes and tags of a repository, read without starting git.',
  scope: 'git:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['git'],

  input: z.strictObject({ path: repository }),
  output: z.strictObject({ root: outsideLine(z.string()), branch: outsideLine(z.string()), head: outsideLine(z.string()), remotes: z.array(z.strictObject({ name: outsideLine(z.string()), url: outsideLine(z.string()) })), tags: z.array(outsideLine(z.string())) }),
  examples: [{ title: 'The working folder', input: { path: '.' } }],

  touches: ({ path }, inspector) => seen(path, inspector),

  async run({ path }, { git }, { signal }) {
    const { remotes, tags, ...found } = await git.info(path, { signal })
    return { ...found, remotes: remotes.map((remote) => ({ ...remote })), tags: [...tags] }
  },
})
