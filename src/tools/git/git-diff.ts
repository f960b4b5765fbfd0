import * as z from 'zod'
import { outsideLine, untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { repository, seen } from './repository.ts'

export const gitDiff = defineTool({
  name: 'git_diff',
  title: 'Show a difference',
  summary: 'Returns how files differ from a commit, or one commit from another, as text. Read without starting git.',
  scope: 'git:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['git'],

  input: z.strictObject({ path: repository, from: z.string().min(1).max(200).default('HEAD'), to: z.string().min(1).max(200).optional() }),
  output: z.strictObject({ files: z.array(z.strictObject({ path: outsideLine(z.string()), diff: untrusted(z.string()) })), truncated: z.boolean() }),
  examples: [{ title: 'The working folder', input: { path: '.' } }],

  touches: ({ path }, inspector) => seen(path, inspector),

  async run({ path, from, to }, { git }, { signal }) {
    const { files, truncated } = await git.diff(path, { signal, from, to })
    return { files: files.map((file) => ({ ...file })), truncated }
  },
})
