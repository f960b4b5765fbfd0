import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import type { Access } from '../../kernel/access.ts'
import { untrusted } from '../../kernel/leaf.ts'
import { localFile } from '../../kernel/ports/local-files.ts'
import { defineTool } from '../../kernel/tool.ts'

export const runCommand = defineTool({
  name: 'run_command',
  title: 'Run a command',
  summary: 'Runs one read-only program of this machine without a shell, once a person agreed. Only listed programs and options run.',
  scope: 'host:run',
  level: 'CONFIRM',
  effect: 'execute',
  idempotent: true,
  openWorld: false,
  perMinute: 20,
  uses: ['commands'],
  scansSecrets: true,

  input: z.strictObject({
    command: z.string().min(1).max(100).describe('The bare name, such as "df".'),
    args: z.array(z.string().max(4096)).max(63).default([]),
  }),
  output: z.strictObject({
    output: untrusted(z.string()),
    errors: untrusted(z.string()),
    exit_code: z.int().nullable(),
    ended: z.enum(['exit', 'wall', 'output', 'memory', 'abort']),
    sandboxed: z.boolean(),
  }),
  examples: [{ title: 'Free space', input: { command: 'df', args: ['-h'] } }],

  async touches({ command, args }, inspector) {
    const judged = inspector.command?.([command, ...args])
    const files: Access[] = []
    for (const path of judged?.paths ?? []) for (const place of (await inspector.places?.(path, 'read')) ?? [path]) files.push(localFile('read', place))
    return [access('execute', 'command', command), ...files]
  },

  async run({ command, args }, { commands }, { signal }) {
    const { output, errors, exitCode, ended, sandboxed } = await commands.run([command, ...args], signal)
    return { output, errors, exit_code: exitCode, ended, sandboxed }
  },
})
