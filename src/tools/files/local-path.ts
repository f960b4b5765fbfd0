/** What a caller may write as a path of this machine, and what the call then touches. */

import * as z from 'zod'
import type { Access, Action } from '../../kernel/access.ts'
import type { LocalUse } from '../../kernel/ports/local-files.ts'
import { localFile } from '../../kernel/ports/local-files.ts'
import type { Inspector } from '../../kernel/tool.ts'

export const localPath = z.string().min(1).max(4096).describe('Absolute, or from ~/ or the working folder.')

/** Every name that the path has: the path policy speaks here, before anybody is asked anything. */
export async function placed(action: Action, path: string, { inspector, use }: { readonly inspector: Inspector; readonly use: LocalUse }): Promise<readonly Access[]> {
  const places = (await inspector.places?.(path, use)) ?? [path]
  return places.map((place) => localFile(action, place))
}
