/** Facts of a machine that has no tables to read: by systeminformation, which knows where each system keeps them. */

import { arch, hostname, loadavg, platform, release, uptime } from 'node:os'
import type { Host } from '../../kernel/ports/host.ts'
import { interfaces } from './read-proc.ts'

const load = async () => (await import('systeminformation')).default

export const libraryHost: Host = {
  async system() {
    const { distro } = await (await load()).osInfo()
    return { hostname: hostname(), platform: platform(), distribution: distro, release: release(), architecture: arch() }
  },
  async cpu() {
    const { brand, cores, speed } = await (await load()).cpu()
    return { model: brand, cores, speedMhz: Math.round(speed * 1000), load: loadavg().map((one) => Math.round(one * 100) / 100) }
  },
  async memory() {
    const { total, available, swaptotal, swapfree } = await (await load()).mem()
    return { totalBytes: total, availableBytes: available, swapTotalBytes: swaptotal, swapFreeBytes: swapfree }
  },
  disks: async () => (await (await load()).fsSize()).map(({ mount, type, size, available }) => ({ mount, type, totalBytes: size, availableBytes: available })),
  network: async () => interfaces(),
  async processes(max) {
    const { list, all } = await (await load()).processes()
    const named = list.map(({ pid, parentPid, name, state, memRss }) => ({ pid, parentPid, name, state, memoryBytes: memRss * 1024, cpuSeconds: 0 }))
    return { processes: named.sort((one, other) => other.memoryBytes - one.memoryBytes).slice(0, max), count: all }
  },
  uptime: async () => Math.floor(uptime()),
}
