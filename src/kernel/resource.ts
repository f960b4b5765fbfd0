/** Resources and prompts: the two other things that a caller may name. Same facts, same chain. */

import type { Access } from './access.ts'
import { Answer } from './answer.ts'
import type { Block } from './answer.ts'
import { checkFacts, FUNCTION, isText, maybe, oneOf, SCOPED, SWITCH, TEXT, TEXTS, ZOD_OBJECT } from './check-facts.ts'
import type { Rules } from './check-facts.ts'
import { fromZod } from './schema.ts'
import type { Fields, Schema } from './schema.ts'
import type { Services } from './services.ts'
import type { CallContext, Inspector, Scope } from './tool.ts'
import type { Format } from './leaf.ts'
import type * as z from 'zod'

type Awaitable<T> = T | Promise<T>

export interface CompletionContext extends Pick<CallContext, 'subject' | 'signal' | 'mayBelow'> {
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
  /** Where the text comes from and what it is. Cleaned, and sent beside the text. */
  readonly metadata?: Fields
}

export interface ResourceBlob {
  /** Bytes in base64 (RFC 4648 §4). They are neither cleaned nor fenced. */
  readonly blob: string
  readonly mimeType: string
}

export type ResourceContent = ResourceText | ResourceBlob

export interface Resource<Uses extends keyof Services = keyof Services> {
  /** A URI, or a template with one `{name}` or `{+name}` anywhere in it (RFC 6570 level 2). */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly scope: Scope
  readonly mimeType: string
  readonly uses: readonly Uses[]
  /** How the text is cleaned and fenced; absent where this server wrote it. */
  readonly outside?: Format
  /** Names and numbers alone need no fence, and a fence would break a format that programs read. @default true */
  readonly fenced?: boolean
  /** Template parameters in, the things that the read names out. */
  touches(params: Readonly<Record<string, string>>, inspector: Inspector): Awaitable<readonly Access[]>
  read(params: Readonly<Record<string, string>>, services: Pick<Services, Uses>, context: CallContext): Awaitable<ResourceContent>
  readonly complete?: Readonly<Record<string, Complete<Uses>>>
}

/** Declares a resource. @throws TypeError when a part of it is missing or none that the chain knows. */
export function defineResource<const Uses extends keyof Services>(resource: Resource<Uses>): Resource {
  const { uri } = resource
  if (!isText(uri)) throw new TypeError('a resource has a URI, or a template of one')
  checkFacts(uri, resource, RESOURCE)
  return Object.freeze(resource) as unknown as Resource
}

const SHOWN: Rules = { name: TEXT, title: TEXT, summary: TEXT, scope: SCOPED, uses: TEXTS, touches: FUNCTION }
const FORMATS: readonly Format[] = ['text', 'line', 'markdown', 'json', 'document']
const RESOURCE: Rules = { ...SHOWN, mimeType: TEXT, outside: maybe(oneOf(FORMATS)), fenced: maybe(SWITCH), read: FUNCTION }

/**
 * What a read gives, as the guards see it: bytes stand among the blocks, where nothing is cut as if it were text.
 * @throws TypeError for what is neither a text nor bytes in base64
 */
export function contentAnswer(content: ResourceContent, uri: string): Answer {
  if (typeof ('blob' in content ? content.blob : content.text) !== 'string') throw new TypeError('a resource gives a text, or bytes in base64')
  return 'blob' in content ? new Answer({ mimeType: content.mimeType }, [{ type: 'resource', resource: { uri, ...content } }]) : new Answer({ ...content })
}

/** What a read gives, out of what the guards let through. */
export function contentOf({ value, blocks: [block] }: Answer): ResourceContent {
  const blob = block?.type === 'resource' ? block.resource.blob : undefined
  return { ...value, ...(blob !== undefined && { blob }) } as unknown as ResourceContent
}

interface Speaker {
  readonly role: 'user' | 'assistant'
}

/** One message of a prompt: a text, or any one block. */
export type PromptMessage = Speaker & ({ readonly text: string } | { readonly content: Block })

const isMessage = (given: Partial<Record<'role' | 'text' | 'content', unknown>>): boolean =>
  (given.role === 'user' || given.role === 'assistant') && (typeof given.text === 'string' || (typeof given.content === 'object' && given.content !== null))

/** As for a read: a block stands among the blocks, and the message names its place. @throws TypeError for what is no message */
export function messagesAnswer(description: string, messages: readonly PromptMessage[]): Answer {
  if (!messages.every(isMessage)) throw new TypeError('a prompt gives messages of a user or an assistant, each a text or a block')
  const blocks: Block[] = []
  const placed = messages.map((message) => ('text' in message ? message : { role: message.role, block: blocks.push(message.content) - 1 }))
  return new Answer({ description, messages: placed }, blocks)
}

export const messagesOf = ({ value, blocks }: Answer): readonly PromptMessage[] =>
  (value['messages'] as readonly (Speaker & { readonly text?: string; readonly block?: number })[]).map(({ role, text = '', block = -1 }) => {
    const content = blocks[block]
    return content ? { role, content } : { role, text }
  })

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

const PROMPT: Rules = { ...SHOWN, input: ZOD_OBJECT, messages: FUNCTION }

/**
 * Declares a prompt. Every argument is a string, as MCP wants it, and carries a description.
 * @throws TypeError when a part of it is missing or none that the chain knows.
 */
export function definePrompt<In extends z.ZodObject, const Uses extends keyof Services>(spec: PromptSpec<In, Uses>): Prompt {
  if (!isText(spec.name)) throw new TypeError('a prompt has a name')
  checkFacts(spec.name, spec, PROMPT)
  const args = Object.entries(spec.input.shape as Readonly<Record<string, z.ZodType>>).map(([name, field]) => ({
    name, description: field.description ?? '', required: !field.isOptional(),
  }))
  return Object.freeze({ ...spec, input: fromZod(spec.input, 'input'), arguments: args }) as unknown as Prompt
}

/** Everything that one subject offers; nothing is registered that is not in a family. */
export interface Family {
  readonly name: string
  readonly tools: readonly import('./tool.ts').Tool[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
}
