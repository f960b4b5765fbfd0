import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seccompFilter } from './seccomp.ts'
import { ARCHITECTURES, deniedCalls, judgedCall } from './system-calls.ts'
import type { Architecture } from './system-calls.ts'

interface Call {
  readonly arch?: number
  readonly number: number
  readonly first?: number
  readonly second?: number
}

/** Runs a filter as the kernel does (classic BPF). */
function verdict(filter: Uint8Array, { arch = 0, number, first = 0, second = 0 }: Call): number {
  const view = new DataView(filter.buffer, filter.byteOffset, filter.byteLength)
  const data: Readonly<Record<number, number>> = { 0: number, 4: arch, 16: first, 24: second }
  let loaded = 0
  for (let at = 0; at < filter.length; at += 8) {
    const [code, whenTrue, whenFalse, value] = [view.getUint16(at, true), view.getUint8(at + 2), view.getUint8(at + 3), view.getUint32(at + 4, true)]
    if (code === 0x06) return value
    if (code === 0x20) loaded = data[value] ?? Number.NaN
    else {
      const is = code === 0x15 ? loaded === value : code === 0x35 ? loaded >= value : (loaded & value) !== 0
      at += (is ? whenTrue : whenFalse) * 8
    }
  }
  throw new Error('the filter ends without an answer')
}

const ALLOWED = 0x7fff0000
const denied = (errno: number): number => 0x00050000 + errno

describe.each(Object.keys(ARCHITECTURES) as Architecture[])('the filter for %s', (name) => {
  const filter = seccompFilter(name)
  const arch = ARCHITECTURES[name]
  const judge = (call: Call): number => verdict(filter, { arch, ...call })

  it('denies every call of its table, whatever the arguments', () => {
    fc.assert(fc.property(fc.constantFrom(...deniedCalls(name)), fc.nat(), fc.nat(), (number, first, second) => {
      expect(judge({ number, first, second })).toBe(denied(1))
    }))
  })

  it('allows what is in no table', () => {
    const judged = (['clone', 'clone3', 'socket', 'socketpair', 'ioctl'] as const).map((call) => judgedCall(call, name))
    const known = new Set([...deniedCalls(name), ...judged])
    for (let number = 0; number < 460; number += 1) if (!known.has(number)) expect([number, judge({ number })]).toEqual([number, ALLOWED])
  })

  it('kills whoever calls by the table of another architecture', () => {
    fc.assert(fc.property(fc.nat(), fc.nat(500), (other, number) => {
      fc.pre(other !== arch)
      expect(verdict(filter, { arch: other, number })).toBe(0x80000000)
    }))
  })

  it('allows a new thread or process, and no new namespace', () => {
    const number = judgedCall('clone', name)
    expect(judge({ number, first: 0x3d0f00 })).toBe(ALLOWED)
    expect(judge({ number, first: 17 })).toBe(ALLOWED)
    for (const flag of [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) expect([flag, judge({ number, first: flag | 17 })]).toEqual([flag, denied(1)])
    expect(judge({ number: judgedCall('clone3', name) })).toBe(denied(38))
  })

  it('allows local and internet sockets alone', () => {
    for (const call of ['socket', 'socketpair'] as const) {
      const number = judgedCall(call, name)
      for (let first = 0; first < 50; first += 1) expect([first, judge({ number, first })]).toEqual([first, [1, 2, 10].includes(first) ? ALLOWED : denied(97)])
    }
  })

  it('allows what programs ask of terminals, but for typing into them', () => {
    const number = judgedCall('ioctl', name)
    expect(judge({ number, second: 0x5401 })).toBe(ALLOWED)
    expect(judge({ number, second: 0x5412 })).toBe(denied(1))
    expect(judge({ number, second: 0x541c })).toBe(denied(1))
  })
})

it('knows no x32 calls on x64', () => {
  expect(verdict(seccompFilter('x64'), { arch: ARCHITECTURES.x64, number: 0x40000000 + 39 })).toBe(denied(1))
})

it('is not guessed for a processor without a table', () => {
  expect(() => seccompFilter('mips')).toThrow(TypeError)
})
