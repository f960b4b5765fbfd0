/** Reads the `hooks` of the user's own configuration. One that could not be run as it is written is a problem, never a hook less. */

import { isObject } from '../../kernel/json-object.ts'
export interface Hook {
  /** Names of tools; undefined for every one. */
  readonly tools: ReadonlySet<string> | undefined
  /** An absolute path, then the arguments as they are. */
  readonly argv: readonly [program: string, ...args: string[]]
  readonly timeoutMs: number
}

export interface Hooks {
  /** Asked before a call; any of them may veto. */
  readonly preToolUse: readonly Hook[]
  /** Told after a call. */
  readonly postToolUse: readonly Hook[]
}

export const NO_HOOKS: Hooks = { preToolUse: [], postToolUse: [] }

export type ParsedHooks = { readonly ok: true; readonly hooks: Hooks } | { readonly ok: false; readonly problems: readonly string[] }

const EVENTS = ['preToolUse', 'postToolUse'] as const
const MAX_HOOKS = 32
const [DEFAULT_MS, MAX_MS] = [10_000, 60_000]

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && !one.includes('\0'))

export function parseHooks(raw: unknown): ParsedHooks {
  if (raw === undefined) return { ok: true, hooks: NO_HOOKS }
  if (!isObject(raw) || Object.keys(raw).some((key) => !(EVENTS as readonly string[]).includes(key))) return { ok: false, problems: [`must be an object of ${EVENTS.join(' and ')}`] }
  const problems: string[] = []
  const listOf = (event: (typeof EVENTS)[number]): readonly Hook[] => {
    const list = raw[event] ?? []
    if (!Array.isArray(list) || list.length > MAX_HOOKS) {
      problems.push(`${event}: must be a list of at most ${MAX_HOOKS}`)
      return []
    }
    return list.flatMap((one: unknown, at) => {
      const hook = hookOf(one)
      if (typeof hook !== 'string') return [hook]
      problems.push(`${event} ${at + 1}: ${hook}`)
      return []
    })
  }
  const hooks = { preToolUse: listOf('preToolUse'), postToolUse: listOf('postToolUse') }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, hooks }
}

function hookOf(raw: unknown): Hook | string {
  if (!isObject(raw) || Object.keys(raw).some((key) => !['tools', 'command', 'timeoutMs'].includes(key))) return 'knows only tools, command and timeoutMs'
  const { tools, command, timeoutMs = DEFAULT_MS } = raw
  if (!isTexts(command) || !(command[0] ?? '').startsWith('/')) return '"command" must be a list: an absolute path, then arguments'
  if (tools !== undefined && !isTexts(tools)) return '"tools" must list names'
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 1 && timeoutMs <= MAX_MS)) return `"timeoutMs" must be 1 to ${MAX_MS}`
  return { tools: tools && new Set(tools), argv: command as readonly string[] as Hook['argv'], timeoutMs }
}
