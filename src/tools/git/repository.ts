/** What names a repository, and what looking at it touches. */

import * as z from 'zod'
import type { Access } from '../../kernel/access.ts'
import { localFile } from '../../kernel/ports/local-files.ts'
import type { Inspector } from '../../kernel/tool.ts'

export const repository = z.string().min(1).max(4096).default('.').describe('Folder of the working tree, or one below it.')

export async function seen(path: string, inspector: Inspector): Promise<readonly Access[]> {
  return ((await inspector.places?.(path, 'read')) ?? [path]).map((place) => localFile('read', place))
}
