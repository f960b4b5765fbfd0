import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { ours } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { status } from './state.ts'

/** What names nothing inside the corpus is refused before it becomes a task; doc_scan judges the rest. */
const INSIDE = /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\\p{Cc}\p{Cs}]*$/u

export const scanCorpusAsync = defineTool({
  name: 'scan_corpus_async',
  title: 'Scan documents in the background',
  summary: 'Starts doc_scan in the background and returns a task at once. Poll it with task_get.',
  scope: 'docs:scan',
  level: 'SAFE',
  effect: 'create',
  idempotent: false,
  openWorld: false,
  perMinute: 10,
  rate: 'TASK_START',
  uses: ['tasks'],

  input: z.strictObject({ path_prefix: z.string().max(4096).refine((text) => INSIDE.test(text), { params: { rule: 'relative, without .. or backslash' } }).default('') }),
  output: z.strictObject({ taskId: ours(z.string()), status }),
  examples: [{ title: 'One folder', input: { path_prefix: 'exports/' } }],

  touches: ({ path_prefix }) => [access('scan', 'prefix', path_prefix)],

  async run(input, { tasks }, { caller, handOver }) {
    const work = { name: 'doc_scan', args: input }
    await handOver(tasks, work)
    const { taskId, status: now } = await tasks.start(caller, work)
    return { taskId, status: now }
  },
})
