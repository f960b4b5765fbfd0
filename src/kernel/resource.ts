/** Resources and prompts: the two other things that a caller may name. Same facts, same chain. */

import type { Access } from './access.ts'
import { fromZod } from './schema.ts'
import type { Fields, Schema } from './schema.ts'
import type { Services } from './services.ts'
import type { CallContext, Inspector, Scope } from './tool.ts'
import type { Format } from './leaf.ts'
import type * as z from 'zod'

type Awaitable<T> = T | Promise<T>

export interface CompletionContext extends Pick<CallContext, 'subject' | 'signal'> {
  /** Whether the caller may do this; a candidate that it may not read is never offered. */
  may(access: Access): Awaitable<boolean>
}

/** Values for one argument, at most 100, filtered by what was typed. */
export type Complete<Uses extends keyof Services> = (
  typed: string, services: Pick<Services, Uses>, context: CompletionContext,
) => Awaitable<readonly string[]>

export interface ResourceText {
  readonly text: string
  readonly mimeType: string
}

export interface Resource<Uses extends keyof Services = keyof Services> {
  /** A URI, or a template with one `{name}` or `{+name}` (RFC 6570 level 2). */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly scope: Scope
  readonly mimeType: string
  readonly uses: readonly Uses[]
  /** How the text is cleaned and fenced; absent where this server wrote it. */
  readonly outside?: Format
  /** Template parameters in, the things that the read names out. */
  touches(params: Readonly<Record<string, string>>, inspector: Inspector): Awaitable<readonly Access[]>
  read(params: Readonly<Record<string, string>>, services: Pick<Services, Uses>, context: CallContext): Awaitable<ResourceText>
  readonly complete?: Readonly<Record<string, Complete<Uses>>>
}

export const defineResource = <const Uses extends keyof Services>(resource: Resource<Uses>): Resource =>
  Object.freeze(resource) as unknown as Resource

export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface Prompt {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly scope: Scope
  readonly input: Schema
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  readonly uses: readonly (keyof Services)[]
  touches(input: Fields, inspector: Inspector): Awaitable<readonly Access[]>
  messages(input: Fields, services: Services, context: CallContext): Awaitable<readonly PromptMessage[]>
  readonly complete?: Readonly<Record<string, Complete<keyof Services>>>
}

export interface PromptSpec<In extends z.ZodObject, Uses extends keyof Services> {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly scope: Scope
  readonly input: In
  readonly uses: readonly Uses[]
  touches(input: z.output<In>, inspector: Inspector): Awaitable<readonly Access[]>
  messages(input: z.output<In>, services: Pick<Services, Uses>, context: CallContext): Awaitable<readonly PromptMessage[]>
  readonly complete?: Readonly<Record<string, Complete<Uses>>>
}

/** Declares a prompt. Every argument is a string, as MCP wants it, and carries a description. */
export function definePrompt<In extends z.ZodObject, const Uses extends keyof Services>(spec: PromptSpec<In, Uses>): Prompt {
  const input = fromZod(spec.input, 'input')
  const json = input.json as { properties?: Record<string, { description?: string }>; required?: readonly string[] }
  const args = Object.entries(json.properties ?? {}).map(([name, { description = '' }]) => ({
    name, description, required: json.required?.includes(name) ?? false,
  }))
  return Object.freeze({ ...spec, input, arguments: args }) as unknown as Prompt
}

/** Everything that one subject offers; nothing is registered that is not in a family. */
export interface Family {
  readonly name: string
  readonly tools: readonly import('./tool.ts').Tool[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
}
