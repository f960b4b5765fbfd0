/** Tools that really delete, start and reach out, one at each level, for attacks whose effect would be seen. */

import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { access } from '../../src/kernel/access.ts'
import { ours } from '../../src/kernel/leaf.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import type { Effect, Level } from '../../src/kernel/tool.ts'

/** @param root where they work; looked up when they run. */
export function worldTools(root: () => string) {
  const tool = (name: string, level: Level, effect: Effect, work: (path: string) => void) =>
    defineTool({
      name, title: name, summary: `Does ${name}.`, scope: 'world:use', level, effect, idempotent: false, openWorld: false, perMinute: 1_000, uses: [],
      input: z.strictObject({ path: z.string().max(500) }),
      output: z.strictObject({ done: ours(z.string()) }),
      examples: [{ title: 'One', input: { path: 'notes.txt' } }],
      touches: ({ path }) => [access('write', 'app:file', path)],
      run({ path }) {
        work(path)
        return { done: 'yes' }
      },
    })
  return [
    tool('discard', 'CONFIRM', 'delete', (path) => rmSync(join(root(), path))),
    tool('start', 'RESTRICTED', 'execute', (path) => execFileSync('touch', [join(root(), path)])),
    tool('wipe', 'DENIED', 'delete', () => readdirSync(root()).forEach((name) => void rmSync(join(root(), name), { recursive: true }))),
  ]
}
