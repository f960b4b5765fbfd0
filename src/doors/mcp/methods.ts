/** The methods that become calls of the chain, and the form that their parameters must have. */

import type { Request } from '../../kernel/call.ts'
import { isObject } from '../../kernel/json-object.ts'
import type { Params } from './message.ts'

type Reader = (params: Params) => Request | undefined

const text = (value: unknown): value is string => typeof value === 'string'
/** Arguments of a prompt are texts (2025-11-25 and 2026-07-28, schema: GetPromptRequestParams). */
const texts = (value: unknown): value is Params => isObject(value) && Object.values(value).every(text)

const listing = (of: Extract<Request, { kind: 'listing' }>['of']): Reader => ({ cursor }) =>
  cursor === undefined ? { kind: 'listing', of } : text(cursor) ? { kind: 'listing', of, cursor } : undefined

const READERS: Readonly<Record<string, Reader>> = {
  'tools/list': listing('tools'),
  'resources/list': listing('resources'),
  'resources/templates/list': listing('templates'),
  'prompts/list': listing('prompts'),
  'tools/call': ({ name, arguments: args }) => (text(name) && (args === undefined || isObject(args)) ? { kind: 'tool', name, args } : undefined),
  'prompts/get': ({ name, arguments: args }) => (text(name) && (args === undefined || texts(args)) ? { kind: 'prompt', name, args } : undefined),
  'resources/read': ({ uri }) => (text(uri) ? { kind: 'resource', uri } : undefined),
  'completion/complete': completion,
}

function completion({ ref, argument }: Params): Request | undefined {
  if (!isObject(ref) || !isObject(argument)) return undefined
  const { name, value } = argument
  if (!text(name) || !text(value)) return undefined
  if (ref['type'] === 'ref/prompt' && text(ref['name'])) return { kind: 'completion', of: 'prompt', name: ref['name'], argument: name, typed: value }
  if (ref['type'] === 'ref/resource' && text(ref['uri'])) return { kind: 'completion', of: 'resource', name: ref['uri'], argument: name, typed: value }
  return undefined
}

/** Whether a method is one of the chain's. */
export const isCallMethod = (method: string): boolean => Object.hasOwn(READERS, method)

export const CALL_METHODS: readonly string[] = Object.keys(READERS)

/** The call that a method and its parameters ask for; undefined where the parameters do not fit. */
export const toRequest = (method: string, params: Params): Request | undefined => (Object.hasOwn(READERS, method) ? READERS[method]?.(params) : undefined)
