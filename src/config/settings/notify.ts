/** Webhooks: the one family whose purpose is to send data out. */

import { bytes, list, seconds } from '../kinds.ts'
import { urlPrefix } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'

export const notify = section('Webhooks', {
  NOTIFY_ALLOWLIST: setting(list(urlPrefix()), {
    risk: 'Callers with the notify grant can send any data to the destinations named here.',
    says: 'URL prefixes that webhooks may be sent to; unset, the notify family does not exist, and an empty list allows no destination.',
  }),
  NOTIFY_TIMEOUT_SECONDS: setting(seconds(600), { default: 10, says: 'Longest time one delivery may take.' }),
  NOTIFY_MAX_PAYLOAD_BYTES: setting(bytes(100_000_000), { default: 100_000, says: 'Largest payload, as JSON.' }),
  NOTIFY_MAX_RESPONSE_BYTES: setting(bytes(100_000_000), {
    default: 10_000,
    says: 'Most bytes of the receiver\u2019s answer that are read.',
  }),
})
