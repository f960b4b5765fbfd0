/**
 * Numbers of the system calls that sandboxed code is denied, by architecture (syscalls(2); arch/x86/entry/syscalls
 * and include/uapi/asm-generic/unistd.h of Linux). Each is a way to look at, change or leave what isolates it.
 */

/** As the kernel names an architecture in seccomp data (linux/audit.h). */
export const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
export type Architecture = keyof typeof ARCHITECTURES

type Numbers = readonly [x64: number | undefined, arm64: number | undefined]

/** Denied whatever the arguments. */
const DENIED: Readonly<Record<string, Numbers>> = {
  // Other processes.
  ptrace: [101, 117], process_vm_readv: [310, 270], process_vm_writev: [311, 271], kcmp: [312, 272], pidfd_getfd: [438, 438], process_madvise: [440, 440],
  // Namespaces, mounts and roots.
  unshare: [272, 97], setns: [308, 268], mount: [165, 40], umount2: [166, 39], pivot_root: [155, 41], chroot: [161, 51],
  open_tree: [428, 428], move_mount: [429, 429], fsopen: [430, 430], fsconfig: [431, 431], fsmount: [432, 432], fspick: [433, 433], mount_setattr: [442, 442],
  open_tree_attr: [467, 467], name_to_handle_at: [303, 264], open_by_handle_at: [304, 265],
  // Keyrings are not in any namespace.
  add_key: [248, 217], request_key: [249, 218], keyctl: [250, 219],
  // Large and often holed parts of the kernel.
  bpf: [321, 280], userfaultfd: [323, 282], perf_event_open: [298, 241], io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427],
  // The machine itself: modules, clock, swap, accounts, log, names.
  init_module: [175, 105], delete_module: [176, 106], finit_module: [313, 273], kexec_load: [246, 104], kexec_file_load: [320, 294], reboot: [169, 142],
  settimeofday: [164, 170], clock_settime: [227, 112], clock_adjtime: [305, 266], adjtimex: [159, 171],
  swapon: [167, 224], swapoff: [168, 225], acct: [163, 89], quotactl: [179, 60], quotactl_fd: [443, 443], syslog: [103, 116], sethostname: [170, 161], setdomainname: [171, 162],
  lookup_dcookie: [212, 18], nfsservctl: [180, 42], fanotify_init: [300, 262], vhangup: [153, 58],
  move_pages: [279, 239], migrate_pages: [256, 238],
  // Only there on one of them.
  iopl: [172, undefined], ioperm: [173, undefined], modify_ldt: [154, undefined], uselib: [134, undefined], ustat: [136, undefined], sysfs: [139, undefined], create_module: [174, undefined],
}

/** Denied for some arguments. */
const JUDGED = { clone: [56, 220], clone3: [435, 435], socket: [41, 198], socketpair: [53, 199], ioctl: [16, 29] } as const satisfies Record<string, Numbers>

const column = (of: Architecture): 0 | 1 => (of === 'x64' ? 0 : 1)

export const deniedCalls = (of: Architecture): readonly number[] =>
  Object.values(DENIED).map((numbers) => numbers[column(of)]).filter((number) => number !== undefined)

export const judgedCall = (name: keyof typeof JUDGED, of: Architecture): number => JUDGED[name][column(of)]
