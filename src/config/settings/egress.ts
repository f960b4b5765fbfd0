/** The way to the public network: where requests may go, how long they take, how much they bring back. */

import { bytes, count, list, seconds } from '../kinds.ts'
import { hostPattern, tcpPort } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'

export const safeFetch = section('safe_fetch', {
  FETCH_TIMEOUT_SECONDS: setting(seconds(600), {
    default: 10,
    says: 'Longest time one fetch may take, all redirects together.',
  }),
  FETCH_MAX_RESPONSE_BYTES: setting(bytes(1_000_000_000), {
    default: 1_000_000,
    says: 'Largest response body after decompression; a larger one is refused, not cut.',
  }),
  FETCH_MAX_REDIRECTS: setting(count(20, 0), {
    default: 3,
    says: 'Most redirects one fetch follows, each checked like the first request; 0 follows none.',
  }),
})

export const egress = section('Egress', {
  EGRESS_ALLOWED_HOSTS: setting(list(hostPattern()), {
    says: 'Hosts that outbound requests may name, compared on every redirect and exactly, or with *. in front for all names below; unset allows any public host, an empty list allows none, and private addresses are refused either way.',
  }),
  EGRESS_ALLOWED_PORTS: setting(list(tcpPort()), {
    says: 'TCP ports that outbound requests may use; unset means 80 and 443, a list replaces the two, and an empty list closes every port.',
  }),
})
