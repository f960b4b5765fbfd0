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
  const read = (id: string, bucket: string): Opened | undefined => {
    const opened = id.startsWith(PREFIX) ? seal.open(id.slice(PREFIX.length), bindingOf(bucket)) : undefined
    return opened && clock.now() < opened.untilMs ? opened : undefined
  }

  return {
    open: (bucket, capabilities) => PREFIX + seal.close(capabilities, bindingOf(bucket), clock.now() + LIFE_MS),
    async find(id, bucket) {
      const opened = read(id, bucket)
      return opened && !(await ended.used(opened.name)) ? (opened.state as Capabilities) : undefined
    },
    async end(id, bucket) {
      const opened = read(id, bucket)
      if (opened) await ended.use(opened.name, opened.untilMs)
    },
  }
}

const bindingOf = (bucket: string): string => `session\n${bucket}`
