/**
 * Every way out that is tried. What `subprocess` makes of each is written beside it: the page
 * `docs/explain/runners.md` and the test of both runners read it from here.
 */

import type { Attempt } from './escape-attempt.ts'
import { FILE_ATTEMPTS } from './escape-files.ts'
import { KERNEL_ATTEMPTS } from './escape-kernel.ts'
import { NETWORK_ATTEMPTS } from './escape-network.ts'
import { PROCESS_ATTEMPTS } from './escape-processes.ts'

export const ATTEMPTS: readonly Attempt[] = [...NETWORK_ATTEMPTS, ...FILE_ATTEMPTS, ...PROCESS_ATTEMPTS, ...KERNEL_ATTEMPTS]
