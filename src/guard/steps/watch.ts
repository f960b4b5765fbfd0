import type { AuditOutcome } from '../../kernel/audit.ts'
import { after } from '../../kernel/awaitable.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Call, Outcome } from '../../kernel/call.ts'
import { HandOver } from '../../kernel/hand-over.ts'
import { Ask } from '../../kernel/question.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { bindingOf } from '../deps.ts'
import type { GuardDeps } from '../deps.ts'
import type { Watch } from '../run.ts'

type Guard = Watch<GuardDeps>

export const trace: Guard = (call, next, { span }) => {
  if (!span) return next()
  const close = span(call)
  return after(next(), (outcome) => {
    close(outcome)
    return outcome
  })
}

export const audit: Guard = (call, next, deps) => after(next(), (outcome) => kept(call, outcome, deps))

function kept(call: Call, outcome: Outcome, { journal, newId, onFault }: GuardDeps): Awaitable<Outcome> {
  const [is, code, reason] = recorded(outcome)
  // What happened has happened: a broken journal must not turn it into something else.
  const failed = (error: unknown): Outcome => {
    onFault(newId(), error)
    return outcome
  }
  try {
    const written = journal.outcome(call, is, code, reason)
    return written instanceof Promise ? written.then(() => outcome, failed) : outcome
  } catch (error) {
    return failed(error)
  }
}

export const contain: Guard = (call, next, deps) => {
  const ended = (error: unknown): Outcome => {
    if (error instanceof HandOver) return { is: 'task', task: error.task }
    return error instanceof Ask ? asked(call, error, deps) : stopped(error, deps)
  }
  try {
    const outcome = next()
    return outcome instanceof Promise ? outcome.catch(ended) : outcome
  } catch (error) {
    return ended(error)
  }
}

/** Questions leave with what must come back with their answers. */
function asked(call: Call, ask: Ask, deps: GuardDeps): Outcome {
  if (call.arrival.takesQuestions !== true) return { is: 'ask', ask, ticket: '' }
  try {
    return { is: 'ask', ask, ticket: deps.tickets.seal(call.carry(ask), bindingOf(call, deps.policyRevision())) }
  } catch (error) {
    return stopped(error, deps)
  }
}

function stopped(error: unknown, { newId, onFault }: GuardDeps): Outcome {
  if (error instanceof Refusal) return { is: 'refused', refusal: error }
  const incident = newId()
  onFault(incident, error)
  return { is: 'fault', incident }
}

function recorded(outcome: Outcome): [is: AuditOutcome, code: string, reason: string] {
  switch (outcome.is) {
    case 'refused':
      return ['refused', outcome.refusal.code, outcome.refusal.reason ?? '']
    case 'fault':
      return ['fault', outcome.incident, '']
    case 'ok':
    case 'ask':
    case 'task':
      return [outcome.is, '', '']
  }
}
