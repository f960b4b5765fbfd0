/**
 * Sessions that are nowhere kept: the id is sealed and says whose it is and what its client can do. Only
 * ids that were ended before their time are remembered, until then.
 */

import type { Clock } from '../../kernel/clock.ts'
import type { Sessions } from '../../kernel/limits.ts'
import type { Capabilities } from '../../kernel/question.ts'
import type { Seal } from './seal.ts'

const LIFE_MS = 86_400_000
const MAX_ENDED = 100_000
const PREFIX = 's1.'

export function createSealedSessions(seal: Seal, clock: Pick<Clock, 'now'>): Sessions {
  const ended = new Map<string, number>()

  const read = (id: string, subject: string) => {
    if (!id.startsWith(PREFIX)) return undefined
    const opened = seal.open(id.slice(PREFIX.length), bindingOf(subject))
    if (!opened || clock.now() >= opened.untilMs || ended.has(opened.name)) return undefined
    return opened
  }

  return {
    open: (subject, capabilities) => PREFIX + seal.close(capabilities, bindingOf(subject), clock.now() + LIFE_MS),
    find: (id, subject) => read(id, subject)?.state as Capabilities | undefined,
    end(id, subject) {
      const opened = read(id, subject)
      if (!opened) return
      if (ended.size >= MAX_ENDED) for (const [name, untilMs] of ended) if (untilMs <= clock.now()) ended.delete(name)
      // Full of sessions that would still live, the oldest is forgotten: its owner ended it and will not come back.
      if (ended.size >= MAX_ENDED) for (const name of ended.keys()) { ended.delete(name); break }
      ended.set(opened.name, opened.untilMs)
    },
  }
}

const bindingOf = (subject: string): string => `session\n${subject}`
