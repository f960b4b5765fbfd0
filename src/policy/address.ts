/**
 * Reads addresses strictly and says what each is for, judging bytes and never text.
 * Whatever is not known to be the public internet is not public.
 */

import type { AddressClass, AddressRow } from './address-table.ts'
import { IPV4_TABLE, IPV6_TABLE } from './address-table.ts'

export type { AddressClass } from './address-table.ts'

const OCTET = /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/
const GROUP = /^[0-9a-f]{1,4}$/i
/** Six groups and a dotted quad, the longest spelling there is. */
const MAX_LENGTH = 45

const parseIpv4 = (text: string): Uint8Array | undefined => {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => OCTET.test(part)) ? Uint8Array.from(parts, Number) : undefined
}

/** Bytes of one side of `::`; only the end of an address may be a dotted quad. */
const parseGroups = (text: string, isEnd: boolean): readonly number[] | undefined => {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [index, group] of groups.entries()) {
    const quad = isEnd && index === groups.length - 1 ? parseIpv4(group) : undefined
    if (quad === undefined && !GROUP.test(group)) return undefined
    const value = Number.parseInt(group, 16)
    bytes.push(...(quad ?? [value >> 8, value & 0xff]))
  }
  return bytes
}

const parseIpv6 = (text: string): Uint8Array | undefined => {
  const [left = '', right, ...more] = text.split('::')
  const head = parseGroups(left, right === undefined)
  const tail = parseGroups(right ?? '', true)
  if (head === undefined || tail === undefined || more.length > 0) return undefined
  const gap = 16 - head.length - tail.length
  if (right === undefined ? gap !== 0 : gap < 2) return undefined
  return Uint8Array.from([...head, ...new Array<number>(gap).fill(0), ...tail])
}

/**
 * Four bytes for a dotted quad without leading zeros, sixteen for an RFC 4291 §2.2 spelling, otherwise
 * undefined. Zone ids, brackets, ports, blanks and the short, octal and hexadecimal IPv4 forms are not read.
 */
export const parseAddress = (text: string): Uint8Array | undefined => {
  if (text.length > MAX_LENGTH) return undefined
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

interface Block extends AddressRow {
  readonly bytes: Uint8Array
}

/** Longest prefix first, so that the first match is the most specific one. */
const blocks = (rows: readonly AddressRow[]): readonly Block[] =>
  rows
    .map((row) => ({ ...row, bytes: parseAddress(row.prefix) ?? new Uint8Array() }))
    .sort((a, b) => b.length - a.length)

const IPV4_BLOCKS = blocks(IPV4_TABLE)
const IPV6_BLOCKS = blocks(IPV6_TABLE)

const isInside = (address: Uint8Array, { bytes, length }: Block): boolean => {
  const whole = length >> 3
  for (let index = 0; index < whole; index += 1) if (address[index] !== bytes[index]) return false
  const rest = 8 - (length & 7)
  return rest === 8 || (address[whole] ?? 0) >> rest === (bytes[whole] ?? 0) >> rest
}

const blockOf = (bytes: Uint8Array): Block | undefined =>
  (bytes.length === 4 ? IPV4_BLOCKS : IPV6_BLOCKS).find((block) => isInside(bytes, block))

const embeddedIn = (bytes: Uint8Array, { ipv4At, inverted }: Block): Uint8Array | undefined =>
  ipv4At === undefined
    ? undefined
    : bytes.slice(ipv4At, ipv4At + 4).map((byte) => (inverted === true ? byte ^ 0xff : byte))

/** RFC 5214 §6.1: an interface identifier of 0000:5efe or 0200:5efe and an IPv4 address. */
const isatapIpv4 = (bytes: Uint8Array): Uint8Array | undefined =>
  (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
    ? bytes.slice(12)
    : undefined

const classifyIpv4 = (bytes: Uint8Array): AddressClass => blockOf(bytes)?.class ?? 'public'

/** The class of four or sixteen bytes in network order; any other number of bytes is `reserved`. */
export const classifyAddress = (bytes: Uint8Array): AddressClass => {
  if (bytes.length === 4) return classifyIpv4(bytes)
  if (bytes.length !== 16) return 'reserved'
  const block = blockOf(bytes)
  const embedded = block === undefined ? isatapIpv4(bytes) : embeddedIn(bytes, block)
  const inner = embedded === undefined ? 'public' : classifyIpv4(embedded)
  if (inner !== 'public') return inner
  if (block !== undefined) return block.transparent === true ? 'public' : block.class
  const isGlobalUnicast = (bytes[0] ?? 0) >> 5 === 1
  return isGlobalUnicast ? 'public' : 'reserved'
}

/** The IPv4 address that an IPv4-mapped, SIIT or well-known NAT64 address stands for; others come back as they are. */
export const unwrapAddress = (bytes: Uint8Array): Uint8Array => {
  const block = bytes.length === 16 ? blockOf(bytes) : undefined
  return block?.transparent === true ? (embeddedIn(bytes, block) ?? bytes) : bytes
}

/** Whether two addresses reach the same endpoint, however each is wrapped. */
export const isSameAddress = (a: Uint8Array, b: Uint8Array): boolean => {
  const left = unwrapAddress(a)
  const right = unwrapAddress(b)
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}
