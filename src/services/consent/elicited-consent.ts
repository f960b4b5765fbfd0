/**
 * A person's word for one call. The question shows what would be done, and what would be replaced, with whatever a
 * person would not see written out; only an explicit yes in the form counts, what they saw must still stand there,
 * and where nobody can be asked the answer is no.
 */

import { createHash } from 'node:crypto'
import type { Call } from '../../kernel/call.ts'
import type { Panel } from '../../kernel/panel.ts'
import { Ask, elicit, lacking } from '../../kernel/question.ts'
import type { Questions, Replies } from '../../kernel/question.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { ABSENT } from '../../kernel/tool.ts'
import type { Inspector, Replacement, Snapshot } from '../../kernel/tool.ts'
import { textDiff } from './text-diff.ts'
import { visible } from './visible.ts'

export interface ConsentOptions {
  /** Takes this server's own secrets out of what a person is shown: it leaves by their client. */
  redact?: ((text: string) => string) | undefined
  ticks(): number
  readonly inspector: Inspector
  /**
   * Whether the call may run unasked: `always`, or `unless-asked` where its client cannot ask a person. Nothing
   * that a caller sets may decide it, but for the operator's rule on documents.
   */
  waived(call: Call): 'always' | 'unless-asked' | undefined
}

const NAME = 'arrowhead_consent'
/** Key of what the person saw, in what the call takes along. */
const SEEN = 'arrowhead_seen'
const [MAX_HEAD, MAX_TAIL] = [2_000, 500]

const FORM = {
  type: 'object',
  properties: { approve: { type: 'boolean', title: 'Approve', description: 'Run this call, once.' } },
  required: ['approve'],
}

/** What a call would replace, and what stands there. */
interface Look {
  readonly replacement: Replacement | undefined
  readonly before: Snapshot | undefined
  readonly mayRead: boolean
  /** What the person's word is bound to. */
  readonly seen: string | undefined
}

export function createElicitedConsent({ redact = (text) => text, ticks, inspector, waived }: ConsentOptions) {
  const show = (text: string): string => visible(redact(text))

  const lookAt = async ({ component, input, may }: Call): Promise<Look> => {
    const replacement = await component.replaces?.(input, inspector)
    if (!replacement || !inspector.current) return { replacement, before: undefined, mayRead: false, seen: undefined }
    const before = await inspector.current(replacement.target)
    // The question travels by the caller's own client, so it must not show what the caller may not read.
    const mayRead = (await may({ ...replacement.target, action: 'read' })) === true
    return { replacement, before, mayRead, seen: before?.digest ?? ABSENT }
  }

  const questionsFor = ({ component, input }: Call, { replacement, before, mayRead }: Look): Questions => {
    const { field = '', target, text = '' } = replacement ?? {}
    const args = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, replacement && name === field ? `[${text.length} characters, shown below]` : value]))
    const shown = [`Allow ${component.name} to run with these arguments?`, shorten(show(JSON.stringify(args, undefined, 1)))]
    if (replacement) shown.push(...changeOf(before, mayRead, text))
    // The whole name, as it is used: a long one must not push its end out of sight.
    if (target) shown.splice(1, 0, `Target: ${show(target.id)}`)
    return { [NAME]: elicit(shown.join('\n'), FORM) }
  }

  const panelFor = async (call: Call, look: Look): Promise<Panel> => {
    const { component, input, level } = call
    const { replacement, before, mayRead, seen } = look
    const named = replacement ? [replacement.target] : await component.touches(input, inspector)
    const args = Object.fromEntries(Object.entries(input).filter(([name]) => name !== replacement?.field))
    return {
      tool: component.name, title: show(component.title), level, effect: component.effect,
      targets: named.slice(0, MAX_TARGETS).map(({ id }) => show(id)),
      args: shorten(show(JSON.stringify(args, undefined, 1))),
      change: replacement && changeOf(before, mayRead, replacement.text).join('\n'),
      reason: reasonOf(call, before !== undefined),
      scope: createHash('sha256').update(JSON.stringify([component.name, level, ordered(input), seen ?? null])).digest('base64url'),
    }
  }

  const changeOf = (before: Snapshot | undefined, mayRead: boolean, text: string): readonly string[] => {
    if (!before) return ['What would be written:', shorten(show(text))]
    const now = `${before.text.length} characters stand there now`
    return mayRead
      ? [`What would change, by lines (${now}):`, shorten(show(textDiff(before.text, text) || 'nothing'))]
      : [`It would be replaced (${now}, which the caller may not read) by:`, shorten(show(text))]
  }

  /** The word was given for what was seen, so it must still be there. */
  const settle = (call: Call, replies: Replies, { seen }: Look, now: string | undefined): Refusal | undefined => {
    const no = judge(replies)
    if (no) return no
    if (seen !== now) return refusal('consent.changed', 'make the call again, so that the person sees what is there now')
    call.agreedTo = seen
    call.confirmed = true
    return undefined
  }

  const unasked = (call: Call): Refusal | undefined =>
    waived(call) === 'unless-asked' ? undefined : refusal('consent.unavailable', 'use a client that can ask its user')

  return {
    async decide(call: Call): Promise<Refusal | Ask | undefined> {
      if (waived(call) === 'always') return undefined
      const look = await lookAt(call)
      const questions = questionsFor(call, look)
      if (lacking(questions, call.arrival.capabilities)) return unasked(call)
      try {
        const state = look.seen === undefined ? call.state : { ...call.state, [SEEN]: look.seen }
        return settle(call, call.ask(questions, state), look, call.state[SEEN] as string | undefined)
      } catch (unanswered) {
        if (!(unanswered instanceof Ask)) throw unanswered
        const panel = await panelFor(call, look)
        if (call.arrival.ask) return settle(call, await call.wait(questions, ticks, panel), look, (await lookAt(call)).seen)
        return call.arrival.takesQuestions === true ? new Ask(unanswered.questions, unanswered.state, panel) : unasked(call)
      }
    },
  }
}

const MAX_TARGETS = 20

/** Why a person is asked, from facts alone. */
function reasonOf({ component, level }: Call, isThere: boolean): string {
  if (level === 'RESTRICTED') return 'it is restricted, and was opted into by name'
  if (isThere) return 'something stands there now, and it would be replaced'
  return component.level === 'SAFE' ? 'this call needs more trust than others of its tool' : 'every call of this tool needs a person to agree'
}

/** Members in one order, so that the same arguments are the same text. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => [name, ordered(item)]))
}

/** Both ends, and how much lies between: a person must know what they were not shown. */
const shorten = (text: string): string =>
  text.length <= MAX_HEAD + MAX_TAIL
    ? text
    : `${text.slice(0, MAX_HEAD)}\n[${text.length - MAX_HEAD - MAX_TAIL} characters are not shown]\n${text.slice(-MAX_TAIL)}`

/** Nothing but the flag itself is a yes: no other value, no other field, no other action. */
function judge(replies: Replies): Refusal | undefined {
  const { action, content } = ((replies as Replies | undefined)?.[NAME] ?? {}) as { action?: unknown; content?: { approve?: unknown } | null }
  return action === 'accept' && content?.approve === true ? undefined : refusal('consent.declined', 'do not try it again unless the person asks for it')
}
