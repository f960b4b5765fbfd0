/**
 * A person's word for one call. The question shows what would be done, cleaned of whatever a person would not
 * see; only an explicit yes in the form counts, and where nobody can be asked the answer is no.
 */

import type { Call } from '../../kernel/call.ts'
import { Ask, elicit, lacking } from '../../kernel/question.ts'
import type { Replies } from '../../kernel/question.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'

export interface ConsentOptions {
  /** Cleans text that a person is shown. */
  clean(text: string): string
  ticks(): number
}

const NAME = 'arrowhead_consent'
const [MAX_HEAD, MAX_TAIL] = [2_000, 500]

const FORM = {
  type: 'object',
  properties: { approve: { type: 'boolean', title: 'Approve', description: 'Run this call, once.' } },
  required: ['approve'],
}

export function createElicitedConsent({ clean, ticks }: ConsentOptions) {
  const questionsFor = ({ component, input }: Call) => {
    const shown = shorten(clean(JSON.stringify(input, undefined, 1)))
    return { [NAME]: elicit(`Allow ${component.name} to run with these arguments?\n${shown}`, FORM) }
  }

  return {
    async decide(call: Call): Promise<Refusal | Ask | undefined> {
      const questions = questionsFor(call)
      if (lacking(questions, call.arrival.capabilities)) return refusal('consent.unavailable', 'use a client that can ask its user')
      try {
        return judge(call.ask(questions))
      } catch (unanswered) {
        if (!(unanswered instanceof Ask)) throw unanswered
        if (call.arrival.ask) return judge(await call.wait(questions, ticks))
        return call.arrival.takesQuestions === true ? unanswered : refusal('consent.unavailable', 'use a client that can ask its user')
      }
    },
  }
}

/** Both ends, and how much lies between: a person must know what they were not shown. */
const shorten = (text: string): string =>
  text.length <= MAX_HEAD + MAX_TAIL
    ? text
    : `${text.slice(0, MAX_HEAD)}\n[${text.length - MAX_HEAD - MAX_TAIL} characters are not shown]\n${text.slice(-MAX_TAIL)}`

/** Nothing but the flag itself is a yes: no other value, no other field, no other action. */
function judge(replies: Replies): Refusal | undefined {
  const { action, content } = (replies[NAME] ?? {}) as { action?: unknown; content?: { approve?: unknown } | null }
  return action === 'accept' && content?.approve === true ? undefined : refusal('consent.declined', 'do not try it again unless the person asks for it')
}
