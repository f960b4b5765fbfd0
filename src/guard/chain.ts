/**
 * The guard chain. Every call, through every door, runs this list from top to bottom.
 *
 * Before it, a name is resolved in the caller's view: what the caller may not see is not there.
 * The last column says for which components a row has anything to do, where that is known before any call.
 * Order is a security property: `test/pins/chain.test.ts` holds a second copy of it.
 */

import type { GuardDeps } from './deps.ts'
import { step } from './run.ts'
import type { Chain } from './run.ts'
import { access, budget, concurrency, consent, deadline, hasBudget, hasEffect, intent, isUnknown, known, level, quota, resume, shape } from './steps/admit.ts'
import { bound, frame, hasForeign, hasOutside, hasSecrets, output, redact, sanitise } from './steps/release.ts'
import { audit, contain, isTraced, trace } from './steps/watch.ts'

const [T, R, P, C, L] = ['tool', 'resource', 'prompt', 'completion', 'listing'] as const

// biome-ignore format: a table reads best as a table
export const chain: Chain<GuardDeps> = {
  // Around the call. A watcher sees every outcome and decides none.
  watch: [
    step(trace,       [T, R, P, C, L], 'each call is one span in the trace of its caller, where telemetry is on', isTraced),
    step(audit,       [T, R, P, C, L], 'each call leaves exactly one record: shapes, never values'),
    step(contain,     [T, R, P, C, L], 'only a refusal that we wrote reaches the caller; the rest is masked'),
  ],

  // Before the handler. The first refusal or question ends the call; leases are given back at its end.
  admit: [
    step(known,       [T, R, P, C   ], 'a hidden name and a name that does not exist are one answer and one rate', isUnknown),
    step(resume,      [T, R, P      ], 'an answer counts once, for the caller and the call that asked, and the call is counted once'),
    step(quota,       [T, R, P, C, L], 'the caller is within its rate for this component'),
    step(budget,      [T, R, P, C   ], 'the caller is within its budget, where one is set', hasBudget),
    step(concurrency, [T, R, P, C, L], 'there is a place to run in, for the server and for this caller'),
    step(deadline,    [T, R, P, C, L], 'no call outlives its time'),
    step(shape,       [T, R, P, C, L], 'the input is exactly what the schema says'),
    step(access,      [T, R, P      ], 'the caller may touch everything that this input names'),
    step(level,       [T            ], 'an operation above the level that was opted into does not run'),
    step(consent,     [T            ], 'what needs a person runs only after a person agreed'),
    step(intent,      [T            ], 'an effect is on record before it happens', hasEffect),
  ],

  // After the handler. Nothing leaves unchanged by accident.
  release: [
    step(output,      [T            ], 'the answer has the shape that was promised'),
    step(sanitise,    [T, R, P      ], 'text from outside carries nothing hidden', hasForeign),
    step(redact,      [T, R, P, C   ], 'no secret of this server leaves', hasSecrets),
    step(bound,       [T, R, P, C   ], 'no answer is larger than the limit, and a cut is marked'),
    step(frame,       [T, R         ], 'text from outside is fenced as data', hasOutside),
  ],
}
