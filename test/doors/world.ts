/**
 * The deployment that every door test speaks to: own components of each kind, one that only an
 * administrator sees and one that is switched off, over a standing clock and a trail in memory.
 */

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { createArrowhead } from '../../src/doors/library/create-arrowhead.ts'
import type { Arrowhead, GivenSettings } from '../../src/doors/library/create-arrowhead.ts'
import type { AuditRow } from '../../src/kernel/audit.ts'
import { ours } from '../../src/kernel/leaf.ts'
import { refusal } from '../../src/kernel/refusal.ts'
import { definePrompt, defineResource } from '../../src/kernel/resource.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import type { Scope, Tool } from '../../src/kernel/tool.ts'
import { memoryTrail, testClock } from '../../src/testing/index.ts'
import type { TestClock } from '../../src/testing/index.ts'

/** What alice may do in these tests: everything but the administrator's components. */
export const ALICE = { subject: 'alice', scopes: ['tools:read', 'notes:read'] } as const

const FACTS = { level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 1_000, uses: [] } as const

const note = (name: string, scope: Scope): Tool =>
  defineTool({
    ...FACTS, name, scope, title: 'A note', summary: 'Returns the length of a text.',
    input: z.strictObject({ text: z.string().max(100) }),
    output: z.strictObject({ length: z.number(), about: ours(z.string()) }),
    examples: [{ title: 'One word', input: { text: 'hello' } }],
    touches: () => [],
    run: ({ text }) => (text === 'refuse' ? Promise.reject(refusal('file.unavailable', 'name another', 'for-the-audit')) : { length: text.length, about: 'length' }),
  })

const broken = defineTool({
  ...FACTS, name: 'broken', scope: 'notes:read', title: 'Broken', summary: 'Always fails with a secret in its message.',
  input: z.strictObject({}), output: z.strictObject({}), examples: [], touches: () => [],
  run: () => {
    throw new Error('password=hunter2')
  },
})

const page = (uri: string, scope: Scope) =>
  defineResource({
    uri, scope, name: 'page', title: 'A page', summary: 'One page.', mimeType: 'text/plain', uses: [],
    touches: () => [],
    read: (params) => ({ text: `page ${params['id'] ?? ''}`, mimeType: 'text/plain' }),
    complete: { id: (typed) => ['one', 'two'].filter((id) => id.startsWith(typed)) },
  })

const greeting = (name: string, scope: Scope) =>
  definePrompt({
    name, scope, title: 'A greeting', summary: 'Greets somebody.', uses: [],
    input: z.strictObject({ who: z.string().max(20).describe('Whom to greet.') }),
    touches: () => [],
    messages: ({ who }) => [{ role: 'user', text: `Hello ${who}` }],
    complete: { who: (typed) => ['ann', 'bob'].filter((who) => who.startsWith(typed)) },
  })

const SEEN = 'notes:read'
const ADMIN = 'notes:admin'

/** Names of each kind by why they are not there; `seen` is the one that is. */
export const NAMES = {
  tool: { seen: 'note', scope: 'admin_note', disabled: 'old_note', unknown: 'no_such_note', inherited: 'constructor' },
  resource: { seen: 'note://page', scope: 'note://admin', disabled: 'note://old', unknown: 'note://none', inherited: 'constructor' },
  template: { seen: 'page://one', scope: 'admin://one', disabled: 'old://one', unknown: 'none://one', inherited: '__proto__' },
  prompt: { seen: 'greet', scope: 'admin_greet', disabled: 'old_greet', unknown: 'no_such_greeting', inherited: 'toString' },
} as const

/** Nothing is written with the trail in memory; if something were, it would not land in the user's own folder. */
const dataDir = join(tmpdir(), 'arrowhead-doors-unused')

export interface World {
  readonly house: Arrowhead
  readonly rows: AuditRow[]
  readonly clock: TestClock
}

export interface WorldOptions {
  readonly settings?: GivenSettings
  readonly tools?: readonly Tool[]
}

export function openWorld({ settings = {}, tools = [] }: WorldOptions = {}): World {
  const rows: AuditRow[] = []
  const clock = testClock()
  const house = createArrowhead(
    {
      disabledTools: [NAMES.tool.disabled], disabledPrompts: [NAMES.prompt.disabled],
      disabledResources: [NAMES.resource.disabled, 'old://{id}'],
      ...settings,
    },
    {
      tools: [note('note', SEEN), note('admin_note', ADMIN), note('old_note', SEEN), broken, ...tools],
      resources: [
        page('note://page', SEEN), page('note://admin', ADMIN), page('note://old', SEEN),
        page('page://{id}', SEEN), page('admin://{id}', ADMIN), page('old://{id}', SEEN),
      ],
      prompts: [greeting('greet', SEEN), greeting('admin_greet', ADMIN), greeting('old_greet', SEEN)],
      dataDir,
      replace: { clock, trail: memoryTrail(rows) },
    },
  )
  return { house, rows, clock }
}

/** The part of a record that may not depend on the door: everything but id, time, door, trace and duration. */
export const essence = ({ kind, component, caller, args, outcome, code, reason }: AuditRow) =>
  ({ kind, component, caller, args, outcome, code: outcome === 'fault' ? 'incident' : code, reason })
