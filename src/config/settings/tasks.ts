/** Timers that callers may set. */

import { bytes, count, seconds } from '../kinds.ts'
import { section, setting } from '../setting.ts'

export const tasks = section('Timers', {
  TASK_SCHEDULE_MAX_DELAY_SECONDS: setting(seconds(31_536_000), {
    default: 86_400,
    says: 'Furthest into the future a timer may be set.',
  }),
  TASK_SCHEDULE_MIN_REPEAT_SECONDS: setting(seconds(31_536_000), {
    default: 60,
    says: 'Shortest interval at which a timer may repeat.',
  }),
  TASK_SCHEDULE_MAX_PER_OWNER: setting(count(100_000), {
    default: 20,
    says: 'Most timers one caller may have pending.',
  }),
  TASK_PAYLOAD_MAX_BYTES: setting(bytes(10_000_000), {
    default: 16_384,
    says: 'Largest payload of one timer, as JSON.',
  }),
})
