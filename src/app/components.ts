/** Turns what a family declares into what the chain runs: facts and closures, made once at start. */

import type { Access } from '../kernel/access.ts'
import { Answer } from '../kernel/answer.ts'
import { after, awaited } from '../kernel/awaitable.ts'
import type { Call, Component, Kind, ListingName } from '../kernel/call.ts'
import type { Plan } from '../kernel/leaf.ts'
import { contentAnswer, messagesAnswer } from '../kernel/resource.ts'
import type { Prompt, Resource } from '../kernel/resource.ts'
import type { Fields, Parsed } from '../kernel/schema.ts'
import type { Services } from '../kernel/services.ts'
import type { Tool } from '../kernel/tool.ts'
import { compiledListing } from './compiled-listings.ts'
import { cleanText } from '../services/content/clean-text.ts'
import { listedPrompt, listedResource, listedTool } from './listed.ts'
import { templateMatcher } from './uri-template.ts'
import type { Entry } from '../guard/view.ts'
import type { Authorizer } from '../kernel/authorizer.ts'

/** What compiling needs to know of the deployment. */
export interface Setting {
  readonly services: Services
  readonly authorizer: Authorizer
  /** Calls per minute under a rate name, where the operator's settings name one. */
  rate(name: string): number | undefined
  /** Whether the tools are those of the catalogue, not a user's own. */
  readonly isCatalogue: boolean
  /** Whether the family's own gate opted into RESTRICTED. */
  gated(tool: Tool): boolean
}

const NO_NAMES: ReadonlySet<string> = new Set()
const COMPLETION_NAMES: ReadonlySet<string> = new Set(['argument', 'typed'])
const LISTING_NAMES: ReadonlySet<string> = new Set(['cursor'])
const NOTHING: readonly Access[] = []
const USUAL_RATE = 60
const COMPLETIONS = 100
/** Ceilings of what is no tool. A tool that is called like one has its own all the same, under its name as it is. */
const NO_TOOL: ReadonlySet<string> = new Set(['COMPLETION', 'DEFAULT_TOOL', 'LISTING', 'PROMPT_GET', 'RESOURCE_READ', 'UNKNOWN'])

type Facts = Pick<Component, 'kind' | 'name' | 'scope'> & Partial<Component>

/** Fills in what a component has in common with every other. */
const component = (facts: Facts & Pick<Component, 'rateName' | 'perMinute' | 'parse' | 'run'>): Component => ({
  known: true, title: facts.name, effect: 'read', level: 'SAFE', gated: false, argumentNames: () => NO_NAMES, plan: undefined, scansSecrets: false, polls: false,
  touches: () => NOTHING,
  fits: () => true,
  ...facts,
})

/** Describing every schema is a good part of a start, so it waits for the first who asks. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const pick = (services: Services, uses: readonly (keyof Services)[]): Services =>
  Object.freeze(Object.fromEntries(uses.map((name) => [name, services[name]]))) as unknown as Services

export function toolEntry(tool: Tool, setting: Setting): Entry {
  const services = pick(setting.services, tool.uses)
  const upper = tool.name.toUpperCase()
  const rateName = tool.rate ?? (NO_TOOL.has(upper) ? tool.name : upper)
  const { input, output, rise, replaces } = tool
  const compiled = component({
    kind: 'tool', name: tool.name, title: tool.title, scope: tool.scope, effect: tool.effect, level: tool.level, gated: setting.gated(tool),
    rateName, perMinute: setting.rate(rateName) ?? tool.perMinute ?? setting.rate('DEFAULT_TOOL') ?? USUAL_RATE,
    plan: tool.plan, scansSecrets: tool.scansSecrets ?? false, polls: tool.polls ?? false,
    // Read with the first call or listing: describing every schema is a good part of a start.
    argumentNames: () => input.names,
    parse: (raw) => input.parse(raw ?? {}),
    touches: (fields, inspector) => awaited(tool.touches(fields, inspector)),
    ...(rise && { rise: (fields: Fields, inspector) => awaited(rise.call(tool, fields, inspector)) }),
    ...(replaces && { replaces: (fields: Fields, inspector) => awaited(replaces.call(tool, fields, inspector)) }),
    fits: (value) => output === undefined || output.parse(value).ok,
    run: (fields, call) => after(awaited(tool.run(fields, services, call)), toAnswer),
  })
  return { list: 'tools', name: tool.name, scope: tool.scope, component: compiled, completion: noCompletion(compiled), listed: once(() => (setting.isCatalogue ? compiledListing(tool.name) : undefined) ?? listedTool(tool)) }
}

/**
 * What returns nothing has no fields to show.
 * @throws TypeError for what cannot have any: a tool that promises no shape is held to this one all the same.
 */
function toAnswer(given: Fields | Answer | undefined): Answer {
  if (given instanceof Answer) return given
  if (given === undefined) return new Answer({})
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new TypeError('a tool answers with fields or with an Answer')
  return new Answer(given)
}

const textPlan = ({ outside: format, fenced = true }: Resource): Plan | undefined =>
  format && {
    at: 'object',
    fields: [
      ['text', { at: 'leaf', origin: { from: 'outside', format, fenced } }],
      ['metadata', { at: 'leaf', origin: { from: 'outside', format: 'line', fenced: false } }],
    ],
  }

export function resourceEntry(resource: Resource, setting: Setting): Entry {
  const services = pick(setting.services, resource.uses)
  const { match, names } = templateMatcher(resource.uri)
  const compiled = component({
    kind: 'resource', name: resource.uri, scope: resource.scope,
    rateName: 'RESOURCE_READ', perMinute: setting.rate('RESOURCE_READ') ?? USUAL_RATE,
    argumentNames: once(() => new Set(names)), plan: textPlan(resource),
    parse: (raw) => ({ ok: true, value: raw as Fields }),
    touches: (params, inspector) => awaited(resource.touches(params as Record<string, string>, inspector)),
    run: async (params, call) => contentAnswer(await resource.read(params as Record<string, string>, services, call), resource.uri),
  })
  return {
    list: match ? 'templates' : 'resources', name: resource.uri, scope: resource.scope, component: compiled,
    completion: completionOf(compiled, resource, services, setting), listed: once(() => listedResource(resource, match !== undefined)),
    ...(match && { match }),
  }
}

export function promptEntry(prompt: Prompt, setting: Setting): Entry {
  const services = pick(setting.services, prompt.uses)
  const compiled = component({
    kind: 'prompt', name: prompt.name, scope: prompt.scope,
    rateName: 'PROMPT_GET', perMinute: setting.rate('PROMPT_GET') ?? USUAL_RATE,
    argumentNames: () => prompt.input.names,
    parse: (raw) => prompt.input.parse(raw ?? {}),
    touches: (fields, inspector) => awaited(prompt.touches(fields, inspector)),
    run: async (fields, call) => messagesAnswer(prompt.summary, await prompt.messages(fields, services, call)),
  })
  return {
    list: 'prompts', name: prompt.name, scope: prompt.scope, component: compiled,
    completion: completionOf(compiled, prompt, services, setting), listed: once(() => listedPrompt(prompt)),
  }
}

const noCompletion = (of: Component): Component => completionComponent(of, 1, () => new Answer({ values: [] }))

/** Completes one argument of a prompt or template, under the scope of the component itself. */
function completionOf(of: Component, from: Pick<Resource, 'complete'>, services: Services, setting: Setting): Component {
  return completionComponent(of, setting.rate('COMPLETION') ?? USUAL_RATE, async (fields, call) => {
    const { argument, typed } = fields as { argument: string; typed: string }
    const { complete = {} } = from
    const completer = Object.hasOwn(complete, argument) ? complete[argument] : undefined
    const may = (access: Access) => setting.authorizer.allows(call.caller, access)
    const context = { subject: call.subject, signal: call.signal, may, mayBelow: call.mayBelow }
    const found = completer ? await completer(typed, services, context) : []
    // A cleaned name would name something else, so one that hides something is not offered.
    const values = found.filter((value) => cleanText(value) === value)
    return new Answer({ values: values.slice(0, COMPLETIONS), more: values.length > COMPLETIONS })
  })
}

const completionComponent = (of: Component, perMinute: number, run: (fields: Fields, call: Call) => Answer | Promise<Answer>): Component =>
  component({
    kind: 'completion', name: of.name, scope: of.scope, rateName: 'COMPLETION', perMinute,
    argumentNames: () => COMPLETION_NAMES, parse: parseCompletion, run,
  })

function parseCompletion(raw: unknown): Parsed<Fields> {
  const { argument, typed } = raw as { argument: unknown; typed: unknown }
  const ok = typeof argument === 'string' && argument.length <= 100 && typeof typed === 'string' && typed.length <= 1000
  return ok ? { ok: true, value: { argument, typed } } : { ok: false, problems: ['argument: at most 100 characters, value at most 1000'] }
}

/** Stands in for every name that is not in the caller's view. */
export const unknownComponent = (kind: Kind, perMinute: number): Component =>
  component({
    kind, name: 'unknown', known: false, scope: undefined, rateName: 'UNKNOWN', perMinute,
    parse: () => ({ ok: true, value: {} }),
    run: () => {
      throw new Error('an unknown component was run')
    },
  })

/** One of the four lists. What is in it depends on the caller's view alone. */
export const listingComponent = (of: ListingName, perMinute: number, items: (call: Call) => readonly Fields[]): Component =>
  component({
    kind: 'listing', name: of, scope: undefined, rateName: 'LISTING', perMinute, argumentNames: () => LISTING_NAMES,
    parse: (raw) => ((raw as Fields)['cursor'] === undefined ? { ok: true, value: {} } : { ok: false, problems: ['cursor: not one that this server gave'] }),
    run: (_fields, call) => new Answer({ items: items(call) }),
  })
