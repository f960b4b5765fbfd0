/** The name under which something about a tree is kept: one for each tree, wherever a server was started. */

import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

export const treeName = (root: string): string => createHash('sha256').update(resolve(root)).digest('hex').slice(0, 32)
