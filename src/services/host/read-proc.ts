/** Facts of a Linux machine, read from its own tables (proc(5)): no program is started to find them. */

import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { arch, cpus, hostname, loadavg, networkInterfaces, platform, release, totalmem, uptime } from 'node:os'
import type { DiskInfo, Host, InterfaceInfo, ProcessInfo } from '../../kernel/ports/host.ts'

const MAX_BYTES = 1_000_000
const PAGE_BYTES = 4_096
/** Ticks of a second in /proc (sysconf(3), _SC_CLK_TCK): 100 on every Linux that Node runs on. */
const TICKS = 100
const MAX_MOUNTS = 64
/** File systems that hold data, not tables of the kernel. */
const ON_DISK: ReadonlySet<string> = new Set(['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'vfat', 'exfat', 'ntfs', 'ntfs3', 'fuseblk', 'nfs', 'nfs4', 'cifs', 'overlay', 'tmpfs', 'reiserfs', 'jfs', 'hfsplus', 'apfs', '9p', 'virtiofs'])

const read = (file: string): string => {
  try {
    const text = readFileSync(file, 'utf8')
    return text.length > MAX_BYTES ? text.slice(0, MAX_BYTES) : text
  } catch {
    return ''
  }
}

const kilobytes = (text: string, name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024

export const linuxHost: Host = {
  async system() {
    const distribution = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(read('/etc/os-release'))?.[1] ?? ''
    return { hostname: hostname(), platform: platform(), distribution, release: release(), architecture: arch() }
  },
  async cpu() {
    const all = cpus()
    return { model: all[0]?.model ?? '', cores: all.length, speedMhz: all[0]?.speed ?? 0, load: loadavg().map((one) => Math.round(one * 100) / 100) }
  },
  async memory() {
    const table = read('/proc/meminfo')
    return { totalBytes: totalmem(), availableBytes: kilobytes(table, 'MemAvailable'), swapTotalBytes: kilobytes(table, 'SwapTotal'), swapFreeBytes: kilobytes(table, 'SwapFree') }
  },
  async disks() {
    const seen = new Map<string, DiskInfo>()
    for (const line of read('/proc/self/mounts').split('\n')) {
      const [, written = '', type = ''] = line.split(' ')
      if (!ON_DISK.has(type) || seen.size >= MAX_MOUNTS) continue
      const mount = written.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
      try {
        const { blocks, bavail, bsize } = statfsSync(mount)
        if (blocks > 0) seen.set(mount, { mount, type, totalBytes: blocks * bsize, availableBytes: bavail * bsize })
      } catch {
        // A mount of another user, or one that is gone.
      }
    }
    return [...seen.values()]
  },
  network: async () => interfaces(),
  async processes(max) {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap(processOf)
    return { processes: all.sort((one, other) => other.memoryBytes - one.memoryBytes).slice(0, max), count: all.length }
  },
  uptime: async () => Math.floor(uptime()),
}

export const interfaces = (): readonly InterfaceInfo[] =>
  Object.entries(networkInterfaces()).map(([name, addresses = []]) => ({
    name, addresses: addresses.map(({ cidr, address }) => cidr ?? address), mac: addresses[0]?.mac ?? '', isInternal: addresses[0]?.internal ?? false,
  }))

/** A name may hold anything, also what ends it elsewhere: it stands between the first and the last bracket. */
function processOf(pid: string): readonly ProcessInfo[] {
  const text = read(`/proc/${pid}/stat`)
  const [from, to] = [text.indexOf('('), text.lastIndexOf(')')]
  if (from < 0 || to < from) return []
  const fields = text.slice(to + 2).split(' ')
  const number = (at: number): number => Number(fields[at] ?? 0)
  return [{
    pid: Number(pid), parentPid: number(1), name: text.slice(from + 1, to), state: fields[0] ?? '',
    memoryBytes: number(21) * PAGE_BYTES, cpuSeconds: Math.round((number(11) + number(12)) / TICKS),
  }]
}
