/**
 * Every address block that is not the public internet, one row each, with the document that says so.
 * Covers both IANA special-purpose registries and the addresses at which clouds hand out credentials.
 */

/** What an address is for. Only `public` may be dialled on behalf of a caller. */
export type AddressClass =
  | 'public'
  | 'benchmarking'
  | 'broadcast'
  | 'discard'
  | 'documentation'
  | 'infrastructure'
  | 'link-local'
  | 'loopback'
  | 'metadata'
  | 'multicast'
  | 'private'
  | 'reserved'
  | 'shared'
  | 'site-local'
  | 'translated'
  | 'tunnel'
  | 'unique-local'
  | 'unspecified'

export interface AddressRow {
  readonly prefix: string
  /** Leading bits that must agree. */
  readonly length: number
  readonly class: AddressClass
  readonly source: string
  /** Where an IPv4 address sits inside an IPv6 one. A non-public one decides the class. */
  readonly ipv4At?: number
  /** The embedded address is stored with every bit flipped. */
  readonly inverted?: true
  /** The packet reaches exactly the embedded address, so a public one makes the whole public. */
  readonly transparent?: true
}

const row = (prefix: string, length: number, kind: AddressClass, source: string): AddressRow => ({
  prefix,
  length,
  class: kind,
  source,
})

const wrap = (
  prefix: string,
  length: number,
  kind: AddressClass,
  rest: Omit<AddressRow, 'prefix' | 'length' | 'class'>,
): AddressRow => ({ prefix, length, class: kind, ...rest })

/**
 * IANA calls AS112, AMT and the anycast service addresses globally reachable. They are `infrastructure`
 * here and refused: no web origin lives there, and anycast may end inside the operator's own network.
 */
export const IPV4_TABLE: readonly AddressRow[] = [
  row('0.0.0.0', 8, 'unspecified', 'RFC 791 §3.2'),
  row('10.0.0.0', 8, 'private', 'RFC 1918 §3'),
  row('100.64.0.0', 10, 'shared', 'RFC 6598 §7'),
  row('100.100.100.200', 32, 'metadata', 'vendor documentation (Alibaba Cloud)'),
  row('127.0.0.0', 8, 'loopback', 'RFC 1122 §3.2.1.3'),
  row('168.63.129.16', 32, 'metadata', 'vendor documentation (Azure host agent)'),
  row('169.254.0.0', 16, 'link-local', 'RFC 3927 §2.1'),
  row('169.254.169.254', 32, 'metadata', 'vendor documentation (most clouds)'),
  row('169.254.170.2', 32, 'metadata', 'vendor documentation (AWS container credentials)'),
  row('169.254.170.23', 32, 'metadata', 'vendor documentation (AWS pod credentials)'),
  row('172.16.0.0', 12, 'private', 'RFC 1918 §3'),
  row('192.0.0.0', 24, 'reserved', 'RFC 6890 §2.1'),
  row('192.0.0.9', 32, 'infrastructure', 'RFC 7723 §4.1'),
  row('192.0.0.10', 32, 'infrastructure', 'RFC 8155 §8.1'),
  row('192.0.0.170', 31, 'translated', 'RFC 7050 §2.2'),
  row('192.0.0.192', 32, 'metadata', 'vendor documentation (Oracle Cloud)'),
  row('192.0.2.0', 24, 'documentation', 'RFC 5737 §3'),
  row('192.31.196.0', 24, 'infrastructure', 'RFC 7535'),
  row('192.52.193.0', 24, 'infrastructure', 'RFC 7450'),
  row('192.88.99.0', 24, 'tunnel', 'RFC 7526'),
  row('192.168.0.0', 16, 'private', 'RFC 1918 §3'),
  row('192.175.48.0', 24, 'infrastructure', 'RFC 7534'),
  row('198.18.0.0', 15, 'benchmarking', 'RFC 2544'),
  row('198.51.100.0', 24, 'documentation', 'RFC 5737 §3'),
  row('203.0.113.0', 24, 'documentation', 'RFC 5737 §3'),
  row('224.0.0.0', 4, 'multicast', 'RFC 5771'),
  row('240.0.0.0', 4, 'reserved', 'RFC 1112 §4'),
  row('255.255.255.255', 32, 'broadcast', 'RFC 919 §7'),
]

export const IPV6_TABLE: readonly AddressRow[] = [
  row('::', 128, 'unspecified', 'RFC 4291 §2.5.2'),
  row('::1', 128, 'loopback', 'RFC 4291 §2.5.3'),
  wrap('::', 96, 'reserved', { source: 'RFC 4291 §2.5.5.1', ipv4At: 12 }),
  wrap('::ffff:0:0', 96, 'translated', { source: 'RFC 4291 §2.5.5.2', ipv4At: 12, transparent: true }),
  wrap('::ffff:0:0:0', 96, 'translated', { source: 'RFC 2765 §2.1', ipv4At: 12, transparent: true }),
  wrap('64:ff9b::', 96, 'translated', { source: 'RFC 6052 §2.1', ipv4At: 12, transparent: true }),
  row('64:ff9b:1::', 48, 'translated', 'RFC 8215'),
  row('100::', 64, 'discard', 'RFC 6666'),
  row('100:0:0:1::', 64, 'discard', 'RFC 9780'),
  row('2001::', 23, 'reserved', 'RFC 2928'),
  wrap('2001::', 32, 'tunnel', { source: 'RFC 4380 §4', ipv4At: 12, inverted: true }),
  row('2001:1::1', 128, 'infrastructure', 'RFC 7723 §4.2'),
  row('2001:1::2', 128, 'infrastructure', 'RFC 8155 §8.2'),
  row('2001:1::3', 128, 'infrastructure', 'RFC 9665'),
  row('2001:2::', 48, 'benchmarking', 'RFC 5180 §8'),
  row('2001:3::', 32, 'infrastructure', 'RFC 7450'),
  row('2001:4:112::', 48, 'infrastructure', 'RFC 7535'),
  row('2001:10::', 28, 'reserved', 'RFC 4843 §2'),
  row('2001:20::', 28, 'reserved', 'RFC 7343 §2'),
  row('2001:30::', 28, 'reserved', 'RFC 9374'),
  row('2001:db8::', 32, 'documentation', 'RFC 3849'),
  wrap('2002::', 16, 'tunnel', { source: 'RFC 3056 §2', ipv4At: 2 }),
  row('2620:4f:8000::', 48, 'infrastructure', 'RFC 7534'),
  row('3fff::', 20, 'documentation', 'RFC 9637'),
  row('5f00::', 16, 'reserved', 'RFC 9602'),
  row('fc00::', 7, 'unique-local', 'RFC 4193 §3.1'),
  row('fd00:ec2::23', 128, 'metadata', 'vendor documentation (AWS pod credentials)'),
  row('fd00:ec2::254', 128, 'metadata', 'vendor documentation (AWS)'),
  row('fd20:ce::254', 128, 'metadata', 'vendor documentation (Google Cloud)'),
  row('fe80::', 10, 'link-local', 'RFC 4291 §2.5.6'),
  row('fec0::', 10, 'site-local', 'RFC 3879 §4'),
  row('ff00::', 8, 'multicast', 'RFC 4291 §2.7'),
]
