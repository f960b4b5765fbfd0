import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from '../files/machine.fixture.ts'
import type { Machine } from '../files/machine.fixture.ts'

let machine: Machine
beforeEach(() => void (machine = openMachine({ default_shell_access: true })))
afterEach(() => machine.close())

it.each([
  ['system_info', { platform: process.platform, architecture: process.arch }],
  ['cpu_info', { cores: expect.any(Number), load: [expect.any(Number), expect.any(Number), expect.any(Number)] }],
  ['memory_info', { total_bytes: expect.any(Number), available_bytes: expect.any(Number) }],
  ['disk_usage', { disks: expect.arrayContaining([expect.objectContaining({ mount: expect.stringMatching(/^\//) })]) }],
  ['network_info', { interfaces: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]) }],
  ['uptime', { seconds: expect.any(Number) }],
])('answers %s with the facts of this machine, unasked', async (name, facts) => {
  expect(valueOf(await machine.call(name, {}, 'absent'))).toMatchObject(facts)
})

it('lists processes by name, and none of their arguments', async () => {
  const { processes, count } = valueOf(await machine.call('process_list', { max_results: 500 }, 'absent')) as { processes: { pid: number; name: string }[]; count: number }
  expect(processes.map(({ pid }) => pid)).toContain(process.pid)
  expect(count).toBeGreaterThanOrEqual(processes.length)
  expect(Object.keys(processes[0] ?? {}).sort()).toEqual(['cpu_seconds', 'memory_bytes', 'name', 'parent_pid', 'pid', 'state'])
})

it('gives the same facts by the library that other platforms need', async () => {
  const { libraryHost } = await import('../../services/host/from-library.ts')
  const { linuxHost } = await import('../../services/host/read-proc.ts')
  expect((await libraryHost.memory()).totalBytes).toBe((await linuxHost.memory()).totalBytes)
  expect((await libraryHost.cpu()).cores).toBe((await linuxHost.cpu()).cores)
  expect(Object.keys((await libraryHost.disks())[0] ?? {}).sort()).toEqual(['availableBytes', 'mount', 'totalBytes', 'type'])
})

// A smallest Debian has no ps.
it.runIf(spawnSync('ps', ['-V']).status === 0)('gives processes by the library too (where there is ps)', async () => {
  const { libraryHost } = await import('../../services/host/from-library.ts')
  expect((await libraryHost.processes(3)).processes).toHaveLength(3)
})

it('serves none of this in any other profile', async () => {
  const plain = openMachine({}, { profile: 'full' })
  expect(codeOf(await plain.call('system_info', {}))).toBe('component.unknown')
  await plain.close()
})
