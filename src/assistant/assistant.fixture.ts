/** An assistant over a real app: a scripted model, tools of its own at every level, and what they did to the world. */

import * as z from 'zod'
import { createConversation, openAssistant } from '../app/assistant.ts'
import { withoutSecrets } from '../app/kept-sessions.ts'
import type { AssistantEvent, Conversation, Ended } from '../app/assistant.ts'
import type { Arrival } from '../kernel/call.ts'
import { access } from '../kernel/access.ts'
import { untrusted } from '../kernel/leaf.ts'
import type { Panel } from '../kernel/panel.ts'
import type { Sessions } from '../kernel/ports/sessions.ts'
import type { Questions, Replies } from '../kernel/question.ts'
import { defineTool } from '../kernel/tool.ts'
import type { Effect, Level } from '../kernel/tool.ts'
import { scriptedChat, testApp } from '../testing/index.ts'
import type { Scripted, TestWorld } from '../testing/index.ts'

/** What happened to the world, in order. */
export interface World {
  readonly done: string[]
}

/** A tool that does something to the world, or reads it. */
export function worldTool(world: World, name: string, { level = 'SAFE', effect = 'read', returns = '', polls = false }: { level?: Level; effect?: Effect; returns?: string; polls?: boolean } = {}) {
  return defineTool({
    name, title: name, summary: `Does ${name}.`, scope: 'world:use', level, effect, polls,
    idempotent: false, openWorld: false, perMinute: 1_000, uses: [],
    input: z.strictObject({ what: z.string().max(200).default('it') }),
    output: z.strictObject({ text: untrusted(z.string()) }),
    examples: [{ title: 'One', input: { what: 'x' } }],
    touches: ({ what }) => [access(effect === 'read' ? 'read' : 'write', 'app:thing', what)],
    run({ what }) {
      world.done.push(`${name} ${what}`)
      return { text: returns === '' ? `${name} of ${what}` : returns }
    },
  })
}

/** Answers of a person; a flag is a yes or no to whatever is asked, and what they were shown is kept. */
export function person(says: boolean | ((panel: Panel | undefined) => boolean)) {
  const shown: { readonly questions: Questions; readonly panel: Panel | undefined }[] = []
  const ask = async (questions: Questions, panel?: Panel): Promise<Replies> => {
    shown.push({ questions, panel })
    const yes = typeof says === 'boolean' ? says : says(panel)
    return Object.fromEntries(Object.keys(questions).map((name) => [name, yes ? { action: 'accept', content: { approve: true } } : { action: 'decline' }]))
  }
  return { shown, arrival: { ask, capabilities: { elicitation: { form: {} } } } as const }
}

interface Options {
  readonly world?: TestWorld
  readonly poison?: string
  readonly speaksTools?: boolean
  readonly kept?: { readonly sessions: Sessions; readonly workspace: string }
}

export function assistantOver(script: readonly Scripted[], { world: given = {}, poison = '', speaksTools = false, kept }: Options = {}) {
  const world: World = { done: [] }
  const tools = [
    worldTool(world, 'look'), worldTool(world, 'watch', { polls: true }), worldTool(world, 'page', { returns: poison }),
    worldTool(world, 'make', { effect: 'create' }), worldTool(world, 'remove', { level: 'CONFIRM', effect: 'delete' }),
    worldTool(world, 'launch', { level: 'RESTRICTED', effect: 'execute' }), worldTool(world, 'wipe', { level: 'DENIED', effect: 'delete' }),
    ...(given.options?.tools ?? []),
  ]
  const app = testApp({ ...given, settings: { rateLimitEnabled: false, ...given.settings }, options: { ...given.options, tools } })
  const model = scriptedChat(script, { speaksTools })
  const assistant = openAssistant(app.app, { model, kept: kept && { ...kept, sessions: withoutSecrets(kept.sessions, app.app.redacted) } })
  const conversation = createConversation()
  const events: AssistantEvent[] = []
  const ask = (text: string, arrival: Partial<Arrival> = {}, { signal, on = conversation }: { signal?: AbortSignal; on?: Conversation } = {}): Promise<Ended> =>
    assistant.ask({ text, conversation: on, arrival: { door: 'cli', ...arrival }, onEvent: (event) => events.push(event), ...(signal && { signal }) })
  return { ...app, world, model, assistant, conversation, events, ask, errands: () => app.rows.filter(({ errand, outcome }) => errand && outcome !== 'intent') }
}
