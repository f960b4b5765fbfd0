import { isIP } from 'node:net'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { classifyAddress, isSameAddress, parseAddress, unwrapAddress } from './address.ts'
import type { AddressRow } from './address-table.ts'
import { IPV4_TABLE, IPV6_TABLE } from './address-table.ts'

const bytesOf = (text: string): Uint8Array => {
  const bytes = parseAddress(text)
  if (bytes === undefined) throw new Error(`not an address: ${text}`)
  return bytes
}
const classOf = (text: string): string => classifyAddress(bytesOf(text))

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })
const asNumber = (address: Uint8Array): bigint => address.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
const asBytes = (value: bigint, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 0xffn))

interface Range {
  readonly first: bigint
  readonly last: bigint
  readonly size: number
}

const rangeOf = ({ prefix, length }: AddressRow): Range => {
  const address = bytesOf(prefix)
  const span = 1n << BigInt(address.length * 8 - length)
  return { first: asNumber(address), last: asNumber(address) + span - 1n, size: address.length }
}

describe('parseAddress', () => {
  it('agrees with the platform on random spellings, zone ids apart', () => {
    const piece = fc.constantFrom(':', '::', '.', '0', '1', 'ff', 'FFFF', '12345', '127.0.0.1', '01', '255', '256', ' ')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 17 }).map((parts) => parts.join('')),
          fc.ipV6(),
          fc.ipV4(),
        ),
        (text) => {
          expect(parseAddress(text)?.length).toBe({ 0: undefined, 4: 4, 6: 16 }[isIP(text)])
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('reads back what ipaddr.js writes', () => {
    fc.assert(
      fc.property(fc.oneof(bytes(4), bytes(16)), (address) => {
        const text = ipaddr.fromByteArray([...address]).toString()
        expect(parseAddress(text)).toEqual(address)
      }),
    )
  })

  it.each([
    '',
    '1',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '012.1.2.3',
    '1.2.3.4.',
    '1.2.3.4.5',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '256.1.1.1',
    '1.2.3.-4',
    '+1.2.3.4',
    '[::1]',
    'fe80::1%eth0',
    '::1%1',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::12345',
    '::g',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '::1.2.3',
    '::127.0.0.01',
    ':1',
    '1:',
    '\u0661.2.3.4',
  ])('does not read %j', (text) => {
    expect(parseAddress(text)).toBeUndefined()
  })

  it('reads an embedded dotted quad as the last four bytes', () => {
    expect(parseAddress('::ffff:1.2.3.4')).toEqual(parseAddress('::ffff:102:304'))
    expect(parseAddress('1:2:3:4:5:6:7.8.9.10')).toEqual(parseAddress('1:2:3:4:5:6:708:90a'))
  })
})

describe('classifyAddress', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['2001:200::1', 'public'],
    ['0.0.0.0', 'unspecified'],
    ['10.255.255.255', 'private'],
    ['100.100.100.200', 'metadata'],
    ['169.254.169.254', 'metadata'],
    ['169.254.169.253', 'link-local'],
    ['192.0.0.9', 'infrastructure'],
    ['192.0.0.192', 'metadata'],
    ['192.31.196.1', 'infrastructure'],
    ['255.255.255.255', 'broadcast'],
    ['255.255.255.254', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::127.0.0.1', 'loopback'],
    ['::8.8.8.8', 'reserved'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['::ffff:8.8.8.8', 'public'],
    ['::ffff:0:10.0.0.1', 'private'],
    ['::ffff:0:8.8.8.8', 'public'],
    ['64:ff9b::a9fe:a9fe', 'metadata'],
    ['64:ff9b::808:808', 'public'],
    ['64:ff9b:1::808:808', 'translated'],
    ['2002:7f00:1::', 'loopback'],
    ['2002:808:808::1', 'tunnel'],
    ['2001:0:4136:e378:8000:63bf:5601:5601', 'metadata'],
    ['2001:0:4136:e378:8000:63bf:f7f7:f7f7', 'tunnel'],
    ['2a00:1450::5efe:10.0.0.1', 'private'],
    ['2a00:1450::200:5efe:127.0.0.1', 'loopback'],
    ['2a00:1450::200:5efe:8.8.8.8', 'public'],
    ['fe80::5efe:10.0.0.1', 'link-local'],
    ['fd00:ec2::254', 'metadata'],
    ['fd00:ec2::255', 'unique-local'],
    ['fec0::1', 'site-local'],
    ['100:0:0:1::1', 'discard'],
    ['100:0:0:2::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['1fff::1', 'reserved'],
  ])('calls %s %s', (text, kind) => {
    expect(classOf(text)).toBe(kind)
  })

  it('refuses any other number of bytes', () => {
    expect([0, 3, 5, 8, 15, 17].map((length) => classifyAddress(new Uint8Array(length).fill(8)))).toEqual(
      new Array(6).fill('reserved'),
    )
  })

  const rows = [...IPV4_TABLE, ...IPV6_TABLE]

  it.each(rows.map((row) => [`${row.prefix}/${row.length}`, row] as const))(
    'calls nothing inside %s public',
    (_, row) => {
      const { first, last, size } = rangeOf(row)
      const inside = fc.oneof(fc.constant(first), fc.constant(last), fc.bigInt({ min: first, max: last }))
      fc.assert(
        fc.property(inside, (value) => {
          const address = asBytes(value, size)
          const isPublicInside = row.transparent === true && classifyAddress(address.slice(row.ipv4At)) === 'public'
          expect(classifyAddress(address) === 'public').toBe(isPublicInside)
        }),
      )
    },
  )

  it.each([
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '168.63.129.16/32',
    '2620:4f:8000::/48',
    '2001:db8::/32',
    '2002::/16',
  ])('calls the neighbours of %s public on both sides', (cidr) => {
    const [prefix = '', length = ''] = cidr.split('/')
    const row = rows.find((each) => each.prefix === prefix && each.length === Number(length))
    if (row === undefined) throw new Error('no such row')
    const { first, last, size } = rangeOf(row)
    expect([first - 1n, last + 1n].map((value) => classifyAddress(asBytes(value, size)))).toEqual(['public', 'public'])
  })

  it.each(['1.0.0.0', '223.255.255.255', '2001:200::', '2000::', '3ffe:ffff:ffff::', '3fff:1000::'])(
    'calls %s, just outside a block at the edge of the space, public',
    (text) => {
      expect(classOf(text)).toBe('public')
    },
  )

  it('never calls public what ipaddr.js does not call unicast, but for transparent forms of a public IPv4 address', () => {
    const wellKnown = fc.constantFrom(...rows.map(({ prefix }) => prefix).filter((prefix) => prefix.includes(':')))
    const near = fc
      .tuple(wellKnown, bytes(16), fc.integer({ min: 1, max: 16 }))
      .map(([prefix, noise, keep]) => bytesOf(prefix).map((byte, index) => (index < keep ? byte : (noise[index] ?? 0))))
    fc.assert(
      fc.property(fc.oneof(bytes(4), bytes(16), near), (address) => {
        if (classifyAddress(address) !== 'public') return
        const inner = unwrapAddress(address)
        expect(ipaddr.fromByteArray([...inner]).range()).toBe('unicast')
        if (inner !== address) {
          expect(['ipv4Mapped', 'rfc6145', 'rfc6052']).toContain(ipaddr.fromByteArray([...address]).range())
        }
      }),
      { numRuns: 5000 },
    )
  })

  it('never calls an IPv6 address outside 2000::/3 public unless it is a transparent form', () => {
    fc.assert(
      fc.property(bytes(16), (address) => {
        if ((address[0] ?? 0) >> 5 === 1 || unwrapAddress(address) !== address) return
        expect(classifyAddress(address)).not.toBe('public')
      }),
    )
  })

  it('names a source for every row', () => {
    expect(rows.filter(({ source }) => !/^(?:RFC \d+|vendor documentation \()/.test(source))).toEqual([])
  })
})

describe('isSameAddress', () => {
  it('sees through transparent wrappers and nothing else', () => {
    const same = (a: string, b: string): boolean => isSameAddress(bytesOf(a), bytesOf(b))
    expect(same('::ffff:8.8.8.8', '8.8.8.8')).toBe(true)
    expect(same('64:ff9b::8.8.8.8', '::ffff:808:808')).toBe(true)
    expect(same('::1', '0:0:0:0:0:0:0:1')).toBe(true)
    expect(same('8.8.8.8', '8.8.8.9')).toBe(false)
    expect(same('2002:808:808::', '8.8.8.8')).toBe(false)
    expect(same('::8.8.8.8', '8.8.8.8')).toBe(false)
  })
})
