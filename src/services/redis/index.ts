/** What the processes of a deployment share in memory: limits, tickets, places, messages. */

export type { RedisLink } from './link.ts'
export { openLink } from './link.ts'
export { createRedisBus } from './redis-bus.ts'
export { createRedisNonces } from './redis-nonces.ts'
export { createRedisRates } from './redis-rates.ts'
export { createSharedSlots } from './redis-slots.ts'
