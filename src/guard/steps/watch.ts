import type { AuditOutcome } from '../../kernel/audit.ts'
import type { Call, Outcome } from '../../kernel/call.ts'
import { Ask } from '../../kernel/question.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { bindingOf } from '../deps.ts'
import type { GuardDeps } from '../deps.ts'
import type { Watch } from '../run.ts'

type Guard = Watch<GuardDeps>

export const trace: Guard = (call, next, { span }) => (span ? traced(next, span(call)) : next())

async function traced(next: () => Promise<Outcome>, close: (outcome: Outcome) => void): Promise<Outcome> {
  const outcome = await next()
  close(outcome)
  return outcome
}

export const audit: Guard = async (call, next, { journal, newId, onFault }) => {
  const outcome = await next()
  const [is, code, reason] = recorded(outcome)
  try {
    const written = journal.outcome(call, is, code, reason)
    if (written instanceof Promise) await written
  } catch (error) {
    // What happened has happened: a broken journal must not turn it into something else.
    onFault(newId(), error)
  }
  return outcome
}

export const contain: Guard = async (call, next, deps) => {
  try {
    return await next()
  } catch (error) {
    return error instanceof Ask ? asked(call, error, deps) : stopped(error, deps)
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
