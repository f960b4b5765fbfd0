/** A tool, declared in one place: who may, what goes in, what comes out, what it touches, what it does. */

import type * as z from 'zod'
import type { Access } from './access.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'
import { checkFacts, COUNT, FUNCTION, isSnakeCase, LIST, maybe, oneOf, SCOPED, SWITCH, TEXT, TEXTS, ZOD_OBJECT } from './check-facts.ts'
import type { Rule, Rules } from './check-facts.ts'
import { isObject } from './json-object.ts'
import { planOf } from './leaf.ts'
import { EFFECTS, LEVELS } from './level.ts'
import type { Effect, Level } from './level.ts'
import type { Plan } from './leaf.ts'
import { fromJsonSchema, fromZod } from './schema.ts'
import type { Tasks, Work } from './ports/tasks.ts'
import type { Question, Questions, Replies } from './question.ts'
import type { Fields, JsonSchema, Schema } from './schema.ts'
import type { Services } from './services.ts'

export { LEVELS }
export type { Effect, Level }

export type Scope = `${string}:${string}`

/** What a running call knows of itself. */
export interface CallContext {
  readonly subject: string
  /** Who calls; what a caller keeps is kept under `ownerOf` it. */
  readonly caller: Caller
  /** Aborts when the caller cancels, leaves, or the deadline passes. */
  readonly signal: AbortSignal
  /** Tells a waiting caller how far the work is; free when nobody listens. */
  progress(done: number, total?: number, message?: string): void
  /**
   * Asks the other side, and returns its answers. Where they are not there yet the run ends here and begins
   * anew once they are, so nothing may have been changed before. Answers are unchecked input.
   */
  ask(questions: Questions, state?: Fields): Replies
  /** Whether the other side said that it can be asked this. */
  canAsk(question: Question): boolean
  /** Whether this is the work of a task. */
  readonly isTask: boolean
  /**
   * Goes on as a task where the client said that it polls tasks: the run ends here. Otherwise it returns, and the
   * call goes on as it is.
   */
  handOver(tasks: Tasks, work: Work): Promise<void>
  /** What an earlier run of this call kept with its questions. */
  readonly state: Fields
  /** Whether the caller may do something that the input did not name, such as following a redirect. */
  may(access: Access): Awaitable<boolean>
  /** Whether anything whose identifier begins with this one's could be allowed. */
  mayBelow(access: Access): boolean
  /** How much trust this call needs: its tool's level, or what it rose to. */
  readonly level: Level
  /** Groups the calls that one request led to; a call by itself is its own. */
  readonly run: string
  /** Digest of what a person saw at the place that would be replaced, or `ABSENT`, where one agreed. */
  readonly agreedTo: string | undefined
  /** Sends a notification of the protocol on this call's own stream; free when nobody listens. */
  tell(method: string, params: Fields): void
}

/** Read-only look at the world for `touches` and `rise`. */
export interface Inspector {
  /** Whether the named thing exists. */
  exists(access: Access): boolean | Promise<boolean>
  /** What stands there now; undefined for nothing. Absent where nothing can be compared. */
  current?(access: Access): Promise<Snapshot | undefined>
  /** Absolute names of a local path that the path policy allowed for this. @throws Refusal `path.*` */
  places?(path: string, use: 'read' | 'write' | 'delete'): Promise<readonly string[]>
  /** What a local file would say once a text in it was replaced. @throws Refusal `edit.mismatch` */
  edited?(path: string, oldText: string, newText: string): Promise<string>
  /** The program that a command would start and the paths it names. @throws Refusal `command.*` */
  command?(argv: readonly string[]): { readonly program: string; readonly paths: readonly string[] }
  /** Everything that a query would read. @throws Refusal with a `sql.*` code. */
  reads?(query: string): Promise<readonly Access[]>
}

/** What a person is shown of a place before it is replaced. */
export interface Snapshot {
  readonly text: string
  /** Of its bytes, so that a later look tells whether it is still the same. */
  readonly digest: string
}

/** Stands for the digest of a place where nothing is. */
export const ABSENT = 'absent'

/** Text that a call would put in a place. */
export interface Replacement {
  /** The argument that holds it. */
  readonly field: string
  readonly target: Access
  readonly text: string
}

interface Facts<Uses extends keyof Services> {
  readonly name: string
  readonly title: string
  /** One or two sentences for the model: what it returns, and when to use another tool. */
  readonly summary: string
  readonly scope: Scope
  readonly level: Level
  readonly effect: Effect
  readonly idempotent: boolean
  readonly openWorld: boolean
  /** Calls per minute and caller, unless a setting of the tool's own says otherwise. @default what `DEFAULT_TOOL_PER_MINUTE` says */
  readonly perMinute?: number
  /** Name of the ceiling's setting without `_PER_MINUTE`; the upper-case tool name where absent. */
  readonly rate?: string
  /** The only services that `run` receives. */
  readonly uses: readonly Uses[]
  /** Whether the credential scanner reads the answer. */
  readonly scansSecrets?: boolean
  /** Whether it is called again, unchanged, to see what has changed since. */
  readonly polls?: boolean
}

type Awaitable<T> = T | Promise<T>

export interface ToolSpec<In extends z.ZodObject, Out extends z.ZodObject, Uses extends keyof Services> extends Facts<Uses> {
  readonly input: In
  readonly output: Out
  readonly examples: readonly { readonly title: string; readonly input: z.input<In> }[]
  /** Everything that the call names in the world; each is authorised before `run`. */
  touches(input: z.output<In>, inspector: Inspector): Awaitable<readonly Access[]>
  /** Raises the level for this one call, for instance when something would be overwritten. */
  rise?(input: z.output<In>, inspector: Inspector): Awaitable<Level>
  /** What the call would put where, so that a person can be shown the difference before they agree. */
  replaces?(input: z.output<In>, inspector: Inspector): Awaitable<Replacement | undefined>
  run(input: z.output<In>, services: Required<Pick<Services, Uses>>, context: CallContext): Awaitable<z.input<Out> | Answer>
}

/** A tool as the chain sees it: types erased, schemas adapted, origins planned. */
export interface Tool extends Facts<keyof Services> {
  readonly input: Schema
  readonly output: Schema | undefined
  readonly plan: Plan | undefined
  readonly examples: readonly { readonly title: string; readonly input: unknown }[]
  touches(input: Fields, inspector: Inspector): Awaitable<readonly Access[]>
  rise?(input: Fields, inspector: Inspector): Awaitable<Level>
  replaces?(input: Fields, inspector: Inspector): Awaitable<Replacement | undefined>
  run(input: Fields, services: Services, context: CallContext): Awaitable<Fields | Answer>
}

/**
 * Declares a tool over zod schemas.
 * @throws TypeError when a part is missing or none that the chain knows, the name is not snake_case, or a string of the
 * answer has no declared origin.
 */
export function defineTool<In extends z.ZodObject, Out extends z.ZodObject, const Uses extends keyof Services>(
  spec: ToolSpec<In, Out, Uses>,
): Tool {
  const own = checked(spec, { ...FACTS, input: ZOD_OBJECT, output: ZOD_OBJECT })
  const plan = planOf(own.output, own.name)
  return Object.freeze({ ...own, input: fromZod(own.input, 'input'), output: fromZod(own.output, 'output'), plan }) as unknown as Tool
}

export interface JsonToolSpec<Uses extends keyof Services> extends Facts<Uses> {
  /** A JSON Schema, or a `Schema` of your own for what that cannot check. */
  readonly input: JsonSchema | Schema
  /** Absent: the answer is content blocks alone. */
  readonly output?: JsonSchema | Schema
  /** Where the whole answer comes from; `outside` cleans and fences every string of it. */
  readonly origin: 'outside' | 'server'
  readonly examples: readonly { readonly title: string; readonly input: Fields }[]
  touches(input: Fields, inspector: Inspector): Awaitable<readonly Access[]>
  run(input: Fields, services: Required<Pick<Services, Uses>>, context: CallContext): Awaitable<Fields | Answer>
}

/** Declares a tool over JSON Schemas (2020-12), which clients see exactly as written. @throws TypeError as `defineTool` does */
export function defineJsonTool<const Uses extends keyof Services>(spec: JsonToolSpec<Uses>): Tool {
  const own = checked(spec, { ...FACTS, input: SCHEMA, output: maybe(SCHEMA), origin: oneOf(['outside', 'server']) })
  const outside = own.origin === 'outside'
  const plan: Plan = { at: 'leaf', origin: { from: own.origin, format: 'text', fenced: outside } }
  return Object.freeze({ ...own, input: adapted(own.input), output: own.output && adapted(own.output), plan }) as unknown as Tool
}

const adapted = (given: JsonSchema | Schema): Schema => (isOwnSchema(given) ? (given as Schema) : fromJsonSchema(given as JsonSchema))

const isOwnSchema = ({ parse }: JsonSchema | Schema): boolean => typeof parse === 'function'

/** A JSON Schema, or one with checks of its own, which says what clients are shown and which names it knows. */
const SCHEMA: Rule = {
  says: 'a JSON Schema, or { parse, json, names }',
  fits: (given) => isObject(given) && (!isOwnSchema(given) || (isObject(given['json']) && typeof (given['names'] as ReadonlySet<string> | undefined)?.has === 'function')),
}

const FACTS: Rules = {
  title: TEXT, summary: TEXT, scope: SCOPED, level: oneOf(LEVELS), effect: oneOf(EFFECTS), idempotent: SWITCH, openWorld: SWITCH,
  perMinute: maybe(COUNT), rate: maybe(TEXT), uses: TEXTS, scansSecrets: maybe(SWITCH), polls: maybe(SWITCH), examples: LIST,
  touches: FUNCTION, rise: maybe(FUNCTION), replaces: maybe(FUNCTION), run: FUNCTION,
}

/** A copy, which is what is checked and kept: a spec may be anything that has these parts. */
function checked<Spec extends object>(spec: Spec, rules: Rules): Spec {
  const own = { ...spec }
  const { name } = own as { readonly name?: unknown }
  if (!isSnakeCase(name)) throw new TypeError('a tool name is snake_case, at most 64 characters')
  checkFacts(name, own, rules)
  return own
}
