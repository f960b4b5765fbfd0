/** This machine, looked at and never changed: its facts, its read-only programs, its repositories. */

export interface SystemInfo {
  readonly hostname: string
  readonly platform: string
  readonly distribution: string
  readonly release: string
  readonly architecture: string
}

export interface CpuInfo {
  readonly model: string
  /** Logical processors. */
  readonly cores: number
  readonly speedMhz: number
  /** Processes that wanted to run, on average over one, five and fifteen minutes. */
  readonly load: readonly number[]
}

export interface MemoryInfo {
  readonly totalBytes: number
  readonly availableBytes: number
  readonly swapTotalBytes: number
  readonly swapFreeBytes: number
}

export interface DiskInfo {
  readonly mount: string
  readonly type: string
  readonly totalBytes: number
  readonly availableBytes: number
}

export interface InterfaceInfo {
  readonly name: string
  readonly addresses: readonly string[]
  readonly mac: string
  readonly isInternal: boolean
}

export interface ProcessInfo {
  readonly pid: number
  readonly parentPid: number
  /** Of the program alone: arguments may hold secrets. */
  readonly name: string
  readonly state: string
  readonly memoryBytes: number
  readonly cpuSeconds: number
}

export interface Host {
  system(): Promise<SystemInfo>
  cpu(): Promise<CpuInfo>
  memory(): Promise<MemoryInfo>
  disks(): Promise<readonly DiskInfo[]>
  network(): Promise<readonly InterfaceInfo[]>
  /** The largest first. */
  processes(max: number): Promise<{ readonly processes: readonly ProcessInfo[]; readonly count: number }>
  /** Seconds since the machine was started. */
  uptime(): Promise<number>
}

export interface CommandRun {
  readonly program: string
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
  /** What ended it: itself or a limit. */
  readonly ended: 'exit' | 'wall' | 'output' | 'memory' | 'abort'
  readonly sandboxed: boolean
}

export interface Commands {
  /** @param argv a name from the list of programs, then its arguments. @throws Refusal `command.*` or `path.*` */
  judge(argv: readonly string[]): { readonly program: string; readonly paths: readonly string[] }
  /** Judges anew, then runs without a shell. @throws Refusal as `judge`, or `exec.unavailable`. */
  run(argv: readonly string[], signal: AbortSignal): Promise<CommandRun>
}

export interface GitCommit {
  readonly id: string
  readonly author: string
  readonly email: string
  /** ISO 8601, UTC. */
  readonly date: string
  readonly subject: string
}

export interface GitChange {
  readonly path: string
  readonly state: 'added' | 'modified' | 'deleted' | 'untracked' | 'staged' | 'unmerged'
}

export interface GitLook {
  readonly signal: AbortSignal
}

/** Repositories read by ourselves: nothing that one of them configures is ever started. @throws Refusal `git.unavailable` or `path.*` */
export interface Git {
  status(path: string, look: GitLook): Promise<{ readonly branch: string; readonly changes: readonly GitChange[]; readonly truncated: boolean }>
  log(path: string, look: GitLook & { readonly ref: string; readonly max: number }): Promise<readonly GitCommit[]>
  /** The working tree against a commit, or one commit against another, as unified text. */
  diff(path: string, look: GitLook & { readonly from: string; readonly to: string | undefined }): Promise<{ readonly files: readonly { readonly path: string; readonly diff: string }[]; readonly truncated: boolean }>
  branches(path: string, look: GitLook): Promise<{ readonly current: string; readonly local: readonly string[]; readonly remote: readonly string[] }>
  info(path: string, look: GitLook): Promise<{ readonly root: string; readonly branch: string; readonly head: string; readonly remotes: readonly { readonly name: string; readonly url: string }[]; readonly tags: readonly string[] }>
}
