/** Why a call was stopped. Whoever aborts says so with a refusal; an abort by anybody else is the caller's leaving. */

import { Refusal, refusal } from './refusal.ts'

export const stopReason = (signal: AbortSignal): Refusal =>
  signal.reason instanceof Refusal ? signal.reason : refusal('call.cancelled')
