/**
 * A filter of system calls in the kernel's own small language (seccomp(2), classic BPF), written out instruction
 * by instruction: no library, no compiler. What it denies fails as if it were not permitted or not there.
 */

import { endianness } from 'node:os'
import { ARCHITECTURES, deniedCalls, judgedCall } from './system-calls.ts'
import type { Architecture } from './system-calls.ts'

/** Operations (linux/bpf_common.h): load a word, jump if equal, if at least, if any bit, return. */
const [LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06] as const
/** Offsets in `struct seccomp_data`; of the arguments, the low halves on a little-endian machine. */
const [NUMBER, ARCHITECTURE, FIRST, SECOND] = [0, 4, 16, 24] as const

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const fails = (errno: number): number => 0x00050000 | errno
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97] as const

/** Calls in the x32 table of a 64-bit kernel carry this bit. */
const X32 = 0x40000000
/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET (linux/sched.h). */
const NAMESPACE_FLAGS = 0x7e020080
/** Families that stay: local, IPv4 and IPv6, all inside a network namespace. Others reach past it, such as AF_VSOCK. */
const FAMILIES = [1, 2, 10] as const
/** Requests that type into a terminal: TIOCSTI and TIOCLINUX. */
const TERMINAL_REQUESTS = [0x5412, 0x541c] as const

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number]

const load = (offset: number): Instruction => [LOAD, 0, 0, offset]
const end = (value: number): Instruction => [RETURN, 0, 0, value]
/** Goes on after the next instruction unless they are equal. */
const ifEqual = (value: number): Instruction => [EQUAL, 0, 1, value]

/** Runs the body, which must return, only for one call. */
const forCall = (number: number, body: readonly Instruction[]): readonly Instruction[] => [[EQUAL, 0, body.length, number], ...body]

const onlyFamilies = (number: number): readonly Instruction[] =>
  forCall(number, [load(FIRST), ...FAMILIES.flatMap((family) => [ifEqual(family), end(ALLOW)]), end(fails(EAFNOSUPPORT))])

const isKnown = (arch: string): arch is Architecture => Object.hasOwn(ARCHITECTURES, arch)

/** Whether there is a filter for a machine like this. */
export const maySeccomp = (arch: string = process.arch): boolean => isKnown(arch) && endianness() === 'LE'

/**
 * The filter for one architecture; a call in the name of another kills the process.
 * @throws TypeError for an architecture that is not in the table.
 */
export function seccompFilter(arch: string = process.arch): Uint8Array {
  if (!isKnown(arch)) throw new TypeError('no table of system calls for this architecture')
  return encode([
    load(ARCHITECTURE), [EQUAL, 1, 0, ARCHITECTURES[arch]], end(KILL),
    load(NUMBER),
    ...(arch === 'x64' ? [[AT_LEAST, 0, 1, X32] as const, end(fails(EPERM))] : []),
    ...deniedCalls(arch).flatMap((number) => [ifEqual(number), end(fails(EPERM))]),
    // Its flags lie behind a pointer, where a filter cannot look; without it, C libraries use the older call.
    ifEqual(judgedCall('clone3', arch)), end(fails(ENOSYS)),
    ...forCall(judgedCall('clone', arch), [load(FIRST), [ANY_BIT, 0, 1, NAMESPACE_FLAGS], end(fails(EPERM)), end(ALLOW)]),
    ...onlyFamilies(judgedCall('socket', arch)),
    ...onlyFamilies(judgedCall('socketpair', arch)),
    ...forCall(judgedCall('ioctl', arch), [load(SECOND), ...TERMINAL_REQUESTS.flatMap((request) => [ifEqual(request), end(fails(EPERM))]), end(ALLOW)]),
    end(ALLOW),
  ])
}

function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(whenTrue, index * 8 + 2)
    bytes.writeUInt8(whenFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
