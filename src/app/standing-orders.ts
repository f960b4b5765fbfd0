/**
 * Speaks for the person who is not there: every call of the assistant is put to the operator's programs, to the planted
 * tokens and to where its text is from. It only ever says no.
 */

import type { GuardDeps } from '../guard/deps.ts'
import type { Outcome } from '../kernel/call.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { Fields } from '../kernel/schema.ts'
import type { Canary } from '../policy/canary.ts'
import { createTaint } from '../policy/taint.ts'
import { namesFrom } from '../policy/workspace-place.ts'
import type { Ground } from '../policy/workspace-place.ts'
import { mutates } from '../policy/workspace-rules.ts'
import type { RunHooks } from '../services/hooks/create-hooks.ts'
import type { OperatorOrders } from './operator-orders.ts'

export interface StandingParts {
  readonly orders: OperatorOrders
  readonly canary: Canary
  readonly hooks: RunHooks | undefined
  /** The workspace, without links. */
  readonly cwd: string
  readonly ground: Ground
  warn(event: Readonly<Record<string, unknown>>): void
}

export interface StandingOrders {
  readonly consent: GuardDeps['consent']
  /** Remembers what a call returned, and tells the operator's programs of it. */
  heard(tool: string, args: Fields, outcome: Outcome): Promise<void>
}

/** Whether calls of a tool have to be put to them at all. */
export const areAsked = ({ orders: { taint, canary, tokens }, hooks }: StandingParts, tool: string): boolean =>
  (taint !== 'off' && mutates(tool)) || (canary !== 'off' && tokens.length > 0) || hooks !== undefined

export interface StandingRun {
  /** The only text that is trusted. */
  readonly prompt: string
  readonly sessionId: string
  readonly signal: AbortSignal
}

/** For one run. */
export function createStandingOrders({ orders, canary, hooks, cwd, ground, warn }: StandingParts, { prompt, sessionId, signal: over }: StandingRun): StandingOrders {
  const taint = createTaint(prompt)
  const placeOf = (path: unknown): string => namesFrom(String(path), ground.root).slice(ground.root.length).join('/')

  const planted = (tool: string, raw: unknown): Refusal | undefined => {
    if (orders.canary === 'off' || !canary.isIn(JSON.stringify(raw) ?? '')) return undefined
    warn({ event: 'planted', tool })
    return orders.canary === 'deny' ? refusal('text.planted') : undefined
  }
  const carried = (tool: string, input: Fields): Refusal | undefined => {
    if (orders.taint === 'off' || !mutates(tool)) return undefined
    const place = placeOf(input['path'])
    if (!textsOf(input).some((text) => taint.isIn(text, place))) return undefined
    warn({ event: 'untrusted', tool, policy: orders.taint })
    return orders.taint === 'warn' ? undefined : refusal('text.untrusted', 'write it in your own words, or leave it to the person')
  }
  const event = (tool: string, args: Fields) => ({ tool, args, sessionId, workspace: cwd })
  return {
    consent: {
      async decide({ component: { name }, input, raw, signal }) {
        const no = planted(name, raw) ?? carried(name, input)
        if (no !== undefined || hooks === undefined) return no
        return (await hooks.before(event(name, input), signal)) ? undefined : refusal('call.vetoed')
      },
    },
    async heard(tool, args, outcome) {
      if (outcome.is === 'ok' && orders.taint !== 'off') for (const [source, text] of heardIn(outcome.answer.value)) taint.hear(source, text)
      await hooks?.after({ ...event(tool, args), outcome: outcome.is }, over)
    },
  }
}

/** What a call would put in its place. */
function textsOf({ content, new_text: newText, edits }: Fields): readonly string[] {
  const each = Array.isArray(edits) ? edits.map((one: Fields) => one['new_text']) : []
  return [content, newText, ...each].filter((text) => typeof text === 'string')
}

/** Texts of an answer, and the files that they are from. */
function* heardIn({ path, text, matches, paths, entries }: Fields): Generator<readonly [source: string, text: string]> {
  if (typeof text === 'string') yield [String(path), text]
  if (Array.isArray(matches)) for (const match of matches as readonly Fields[]) yield [String(match['path']), String(match['snippet'])]
  if (Array.isArray(paths)) for (const one of paths) yield ['', String(one).split('/').at(-1) ?? '']
  if (Array.isArray(entries)) for (const entry of entries as readonly Fields[]) yield ['', String(entry['name'])]
}
