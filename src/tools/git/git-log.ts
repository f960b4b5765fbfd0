import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { repository, seen } from './repository.ts'

export const gitLog = defineTool({
  name: 'git_log',
  title: 'Show the commits',
  summary: 'Returns the newest commits of a branch, read without starting git.',
  scope: 'git:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['git'],

  input: z.strictObject({ path: repository, ref: z.string().min(1).max(200).default('HEAD'), max_results: z.int().min(1).max(200).default(20) }),
  output: z.strictObject({ commits: z.array(z.strictObject({ id: outsideLine(z.string()), author: outsideLine(z.string()), email: outsideLine(z.string()), date: outsideLine(z.string()), subject: outsideLine(z.string()) })) }),
  examples: [{ title: 'The working folder', input: { path: '.' } }],

  touches: ({ path }, inspector) => seen(path, inspector),

  async run({ path, ref, max_results: max }, { git }, { signal }) {
    const commits = await git.log(path, { signal, ref, max })
    return { commits: commits.map((commit) => ({ ...commit })) }
  },
})
