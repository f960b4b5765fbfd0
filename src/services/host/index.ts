/** The `Host` port by whatever this platform has. */

import type { Host } from '../../kernel/ports/host.ts'
import { libraryHost } from './from-library.ts'
import { linuxHost } from './read-proc.ts'

export const createHost = (platform: string = process.platform): Host => (platform === 'linux' ? linuxHost : libraryHost)
