/**
 * Sessions that are nowhere kept: the id is sealed and says whose it is and what its client can do. Only
 * ids that were ended before their time are remembered, until then.
 */

import type { Clock } from '../../kernel/clock.ts'
import type { Nonces, Sessions } from '../../kernel/limits.ts'
import type { Capabilities } from '../../kernel/question.ts'
import type { Opened, Seal } from './seal.ts'

const LIFE_MS = 86_400_000
const PREFIX = 's1.'

export function createSealedSessions(seal: Seal, clock: Pick<Clock, 'now'>, ended: Nonces): Sessions {
  const read = (id: string, subject: string): Opened | undefined => {
    const opened = id.startsWith(PREFIX) ? seal.open(id.slice(PREFIX.length), bindingOf(subject)) : undefined
    return opened && clock.now() < opened.untilMs ? opened : undefined
  }

  return {
    open: (subject, capabilities) => PREFIX + seal.close(capabilities, bindingOf(subject), clock.now() + LIFE_MS),
    async find(id, subject) {
      const opened = read(id, subject)
      return opened && !(await ended.used(opened.name)) ? (opened.state as Capabilities) : undefined
    },
    async end(id, subject) {
      const opened = read(id, subject)
      if (opened) await ended.use(opened.name, opened.untilMs)
    },
  }
}

const bindingOf = (subject: string): string => `session\n${subject}`
