import { after } from '../../kernel/awaitable.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Call, Outcome } from '../../kernel/call.ts'
import { HandOver } from '../../kernel/hand-over.ts'
import { Ask } from '../../kernel/question.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { bindingOf } from '../deps.ts'
import type { GuardDeps } from '../deps.ts'
import type { Needed, Watch } from '../run.ts'

type Guard = Watch<GuardDeps>

export const isTraced: Needed<GuardDeps> = (_, { span }) => span !== undefined

export const trace: Guard = (call, next, { span }) => {
  const close = span?.(call)
  return after(next(call), (outcome) => {
    close?.(outcome)
    return outcome
  })
}

export const audit: Guard = (call, next, deps) => {
  const outcome = next(call)
  // What is made for a call that waits is not made for one that does not.
  return outcome instanceof Promise ? outcome.then((one) => kept(call, one, deps)) : kept(call, outcome, deps)
}

function kept(call: Call, outcome: Outcome, deps: GuardDeps): Awaitable<Outcome> {
  try {
    const written = recorded(call, outcome, deps)
    return written instanceof Promise ? written.then(() => outcome, (error: unknown) => unkept(outcome, error, deps)) : outcome
  } catch (error) {
    return unkept(outcome, error, deps)
  }
}

/** What happened has happened: a broken journal must not turn it into something else. */
function unkept(outcome: Outcome, error: unknown, { newId, onFault }: GuardDeps): Outcome {
  onFault(newId(), error)
  return outcome
}

export const contain: Guard = (call, next, deps) => {
  try {
    const outcome = next(call)
    return outcome instanceof Promise ? outcome.catch((error: unknown) => ended(call, error, deps)) : outcome
  } catch (error) {
    return ended(call, error, deps)
  }
}

function ended(call: Call, error: unknown, deps: GuardDeps): Outcome {
  if (error instanceof HandOver) return { is: 'task', task: error.task }
  return error instanceof Ask ? asked(call, error, deps) : stopped(error, deps)
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

function recorded(call: Call, outcome: Outcome, { journal }: GuardDeps): Awaitable<void> {
  switch (outcome.is) {
    case 'refused':
      return journal.outcome(call, 'refused', outcome.refusal.code, outcome.refusal.reason ?? '')
    case 'fault':
      return journal.outcome(call, 'fault', outcome.incident, '')
    case 'ok':
    case 'ask':
    case 'task':
      return journal.outcome(call, outcome.is, '', '')
  }
}
