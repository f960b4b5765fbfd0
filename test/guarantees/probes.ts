/** Small tools, resources and prompts that do one thing each, for proofs to call. */

import * as z from 'zod'
import { Answer } from '../../src/kernel/answer.ts'
import type { Outcome } from '../../src/kernel/call.ts'
import type { Access } from '../../src/kernel/access.ts'
import type { Block } from '../../src/kernel/answer.ts'
import { ours, untrusted } from '../../src/kernel/leaf.ts'
import { refusalText } from '../../src/kernel/refusal.ts'
import { definePrompt, defineResource } from '../../src/kernel/resource.ts'
import type { Prompt, Resource } from '../../src/kernel/resource.ts'
import type { Services } from '../../src/kernel/services.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import type { CallContext, Effect, Level, Scope, Tool } from '../../src/kernel/tool.ts'

interface Input { readonly text?: string | undefined }

export interface ProbeFacts {
  readonly name?: string
  readonly summary?: string
  readonly scope?: Scope
  readonly level?: Level
  readonly effect?: Effect
  readonly perMinute?: number
  readonly uses?: readonly (keyof Services)[]
  touches?(input: Input): readonly Access[]
  rise?(input: Input): Level
  run?(input: Input, services: Partial<Services>, context: CallContext): unknown
}

const FACTS = { name: 'probe', title: 'Probe', summary: 'A probe.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: false, openWorld: false, perMinute: 60, uses: [] } as const

/** A tool that answers `{ text }`, a text of this server. Whatever else `run` returns is not what it promised. */
export const probe = (facts: ProbeFacts = {}): Tool =>
  defineTool({
    ...FACTS, examples: [],
    input: z.strictObject({ text: z.string().max(100).optional() }),
    output: z.strictObject({ text: ours(z.string()) }),
    touches: () => [],
    ...facts,
    run: async (input, services, context) => ((await facts.run?.(input, services, context)) ?? { text: 'done' }) as { text: string },
  })

/** A tool whose answer is text that somebody else wrote, with blocks beside it. */
export const outsideProbe = (text: string, blocks: readonly Block[] = []): Tool =>
  defineTool({
    ...FACTS, examples: [],
    input: z.strictObject({}),
    output: z.strictObject({ text: untrusted(z.string()) }),
    touches: () => [],
    run: () => new Answer({ text }, blocks),
  })

export const probeResource = (facts: Partial<Resource> & { readonly says?: string } = {}): Resource => {
  const { says = 'text', ...rest } = facts
  return defineResource({
    uri: 'probe://one', name: 'probe', title: 'Probe', summary: 'A probe.', scope: 'tools:read', mimeType: 'text/plain', uses: [],
    touches: () => [],
    read: () => ({ text: says, mimeType: 'text/plain' }),
    ...rest,
  })
}

export const probePrompt = (facts: Partial<Pick<Prompt, 'scope' | 'touches' | 'complete'>> & { readonly says?: string } = {}): Prompt => {
  const { says = 'text', ...rest } = facts
  const prompt = definePrompt({
    name: 'probe', title: 'Probe', summary: 'A probe.', scope: 'tools:read', uses: [],
    input: z.strictObject({ about: z.string().optional().describe('Anything.') }),
    touches: () => [],
    messages: () => [{ role: 'user', text: says }],
  })
  return { ...prompt, ...rest }
}

/** The refusal's full text, or what else the call came to. */
export const said = (outcome: Outcome): string => (outcome.is === 'refused' ? refusalText(outcome.refusal) : outcome.is)

/** The refusal's code, or what else the call came to. */
export const codeOf = (outcome: Outcome): string => (outcome.is === 'refused' ? outcome.refusal.code : outcome.is)

/** Codes of calls that are made one after the other. */
export async function codesOf(calls: readonly (() => Promise<Outcome>)[]): Promise<string[]> {
  const codes: string[] = []
  for (const call of calls) codes.push(codeOf(await call()))
  return codes
}

/** The fields of an answer; empty where there is none. */
export const valueOf = (outcome: Outcome): Readonly<Record<string, unknown>> => (outcome.is === 'ok' ? outcome.answer.value : {})
