/** A tool, declared in one place: who may, what goes in, what comes out, what it touches, what it does. */

import type * as z from 'zod'
import type { Access } from './access.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'
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
 * @throws TypeError when a string of the answer has no declared origin, the name is not snake_case, or a fact is none that the chain knows.
 */
export function defineTool<In extends z.ZodObject, Out extends z.ZodObject, const Uses extends keyof Services>(
  spec: ToolSpec<In, Out, Uses>,
): Tool {
  checkFacts(spec)
  const plan = planOf(spec.output, spec.name)
  return Object.freeze({ ...spec, input: fromZod(spec.input, 'input'), output: fromZod(spec.output, 'output'), plan }) as unknown as Tool
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

/** Declares a tool over JSON Schemas (2020-12), which clients see exactly as written. */
export function defineJsonTool<const Uses extends keyof Services>(spec: JsonToolSpec<Uses>): Tool {
  checkFacts(spec)
  checkWord(spec.name, 'origin', spec.origin, ['outside', 'server'])
  const outside = spec.origin === 'outside'
  const plan: Plan = { at: 'leaf', origin: { from: spec.origin, format: 'text', fenced: outside } }
  return Object.freeze({ ...spec, input: adapted(spec.input), output: spec.output && adapted(spec.output), plan }) as unknown as Tool
}

const adapted = (given: JsonSchema | Schema): Schema => (typeof given['parse'] === 'function' ? (given as Schema) : fromJsonSchema(given as JsonSchema))

/** A word that the chain does not know would guard nothing, and types do not hold programs in JavaScript back. */
function checkFacts({ name, level, effect, perMinute = 1 }: Facts<keyof Services>): void {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) throw new TypeError('a tool name is snake_case, at most 64 characters')
  checkWord(name, 'level', level, LEVELS)
  checkWord(name, 'effect', effect, EFFECTS)
  if (!Number.isSafeInteger(perMinute) || perMinute < 1) throw new TypeError(`${name}: perMinute is a whole number of calls, one at least`)
}

function checkWord(name: string, fact: string, word: string, words: readonly string[]): void {
  if (!words.includes(word)) throw new TypeError(`${name}: ${fact} is one of ${words.join(', ')}`)
}
