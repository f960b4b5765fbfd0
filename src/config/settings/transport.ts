/** How clients reach the server, and how much one connection may ask of it. */

import { bytes, choice, count, list, seconds, toggle } from '../kinds.ts'
import { host, hostHeader, network, origin, tcpPort } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'

export const transport = section('Transport', {
  TRANSPORT: setting(choice(['stdio', 'http']), {
    default: 'stdio',
    says: 'Whether clients talk over standard input and output or over streamable HTTP.',
  }),
  HOST: setting(host(), {
    default: '127.0.0.1',
    says: 'Address the HTTP door listens on; anything but a loopback address is reachable from other machines.',
  }),
  PORT: setting(tcpPort(), { default: 8000, says: 'TCP port the HTTP door listens on.' }),
  STATELESS_HTTP: setting(toggle(), {
    default: true,
    says: 'Whether HTTP keeps no session between requests, so that any replica can answer any of them.',
  }),
  HOT_LANE: setting(toggle(), {
    default: true,
    says: 'Whether plain requests are answered from compiled tables instead of by the protocol library; off, everything takes the slower way, with the same answers.',
  }),
  ALLOWED_HOSTS: setting(list(hostHeader()), {
    says: 'Host headers that are answered, a defence against DNS rebinding; unset, the loopback names are derived for a loopback address and nothing is checked elsewhere (with a warning), while an empty list answers none.',
  }),
  ALLOWED_ORIGINS: setting(list(origin()), {
    says: 'Origin headers that are answered; unset, the loopback origins are derived for a loopback address and nothing is checked elsewhere (with a warning), while an empty list answers no request that carries an Origin.',
  }),
})

export const httpLimits = section('HTTP limits', {
  HTTP_MAX_BODY_BYTES: setting(bytes(1_000_000_000), {
    default: 4_000_000,
    says: 'Largest request body; a larger one is refused before it is read to the end.',
  }),
  HTTP_MAX_HEADER_BYTES: setting(bytes(1_000_000, 1024), {
    default: 16_384,
    says: 'Largest header section of one request.',
  }),
  HTTP_HEADER_TIMEOUT_SECONDS: setting(seconds(600), {
    default: 10,
    says: 'Longest time a client may take to send its headers.',
  }),
  HTTP_REQUEST_TIMEOUT_SECONDS: setting(seconds(3600), {
    default: 30,
    says: 'Longest time a client may take to send a whole request, headers included.',
  }),
  HTTP_MAX_CONNECTIONS: setting(count(100_000), {
    default: 1024,
    says: 'Connections open at once; further ones are closed unanswered.',
  }),
  HTTP_DRAIN_SECONDS: setting(seconds(600, 0), {
    default: 10,
    says: 'How long calls in flight may finish after a stop was asked for.',
  }),
  HTTP_TRUSTED_PROXIES: setting(list(network()), {
    risk: 'Whoever can connect from these addresses decides which client address is believed.',
    says: 'Proxies whose forwarding headers are believed; unset and empty both believe none.',
  }),
})

export const stdioLimits = section('Standard input and output limits', {
  STDIO_MAX_MESSAGE_BYTES: setting(bytes(1_000_000_000), {
    default: 4_000_000,
    says: 'Largest message read from standard input.',
  }),
  STDIO_MAX_CONCURRENT_REQUESTS: setting(count(10_000), {
    default: 32,
    says: 'Requests worked on at once over standard input and output; further ones wait their turn.',
  }),
})
