/** Opens the changes of dry runs over one workspace, for a person to look at, apply or discard. */

import { join } from 'node:path'
import { openDatabase } from '../exits/disk/database.ts'
import { openJail } from '../exits/disk/jail.ts'
import type { OverlayChange } from '../kernel/ports/overlay.ts'
import { Refusal } from '../kernel/refusal.ts'
import { parseRelativePath } from '../policy/relative-path.ts'
import { placeOf } from '../policy/workspace-place.ts'
import { textDiff } from '../services/consent/text-diff.ts'
import { visible } from '../services/consent/visible.ts'
import { createOverlay } from '../services/overlay/index.ts'
import type { OpenOverlay } from '../services/overlay/index.ts'
import type { WorkspaceGround } from './workspace-ground.ts'

export function openOverlay({ cwd, ground }: WorkspaceGround, dataDir: string): OpenOverlay {
  return createOverlay({
    openDatabase: () => openDatabase(join(dataDir, 'overlay.sqlite')),
    jail: () => openJail(cwd),
    workspace: cwd,
    plainPath(raw) {
      const names = parseRelativePath(raw)
      if (names instanceof Refusal) throw names
      return names.join('/')
    },
    mayWrite: (path) => placeOf([...ground.root, ...path.split('/')], ground) === 'inside',
  })
}

export type { OpenOverlay }

/** One change as lines for a terminal: nothing in it can move the cursor or hide. */
export async function shownChange(overlay: OpenOverlay, { path, kind }: OverlayChange): Promise<string> {
  const { before, after } = await overlay.texts(path)
  const head = `${kind} ${visible(path)}`
  if (kind === 'removed') return head
  if (after === undefined) return `${head} (no text)`
  return `${head}\n${textDiff(before ?? '', after).split('\n').map(visible).join('\n').trimEnd()}`
}
