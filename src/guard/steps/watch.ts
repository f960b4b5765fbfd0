import type { AuditOutcome } from '../../kernel/audit.ts'
import type { Outcome } from '../../kernel/call.ts'
import { Ask } from '../../kernel/question.ts'
import { Refusal } from '../../kernel/refusal.ts'
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

export const contain: Guard = async (_call, next, { newId, onFault }) => {
  try {
    return await next()
  } catch (error) {
    if (error instanceof Refusal) return { is: 'refused', refusal: error }
    if (error instanceof Ask) return { is: 'ask', ask: error, ticket: '' }
    const incident = newId()
    onFault(incident, error)
    return { is: 'fault', incident }
  }
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
