import type { Family } from '../../kernel/resource.ts'
import { cpuInfo } from './cpu-info.ts'
import { diskUsage } from './disk-usage.ts'
import { memoryInfo } from './memory-info.ts'
import { networkInfo } from './network-info.ts'
import { processList } from './process-list.ts'
import { runCommand } from './run-command.ts'
import { systemInfo } from './system-info.ts'
import { uptime } from './uptime.ts'

/** Facts of this machine, and its read-only programs. */
export const host: Family = {
  name: 'host',
  tools: [cpuInfo, diskUsage, memoryInfo, networkInfo, processList, runCommand, systemInfo, uptime],
  resources: [],
  prompts: [],
}
