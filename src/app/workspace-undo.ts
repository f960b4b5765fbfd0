/** Opens what runs of the assistant changed in one workspace, for a person to take back. */

import { systemClock } from '../exits/clock.ts'
import type { Undo } from '../kernel/ports/local-files.ts'
import { createUndo } from '../services/local-files/index.ts'
import type { WorkspaceGround } from './workspace-ground.ts'
import { MAX_CHANGE_BYTES, openCheckpoints, openGroundFiles } from './workspace-tree.ts'

export interface OpenUndo extends Undo {
  close(): Promise<void>
}

/** A run is named by its session. The walls hold here too: nothing is put back where nothing could have been written. */
export function openWorkspaceUndo({ cwd, ground }: WorkspaceGround, dataDir: string): OpenUndo {
  const checkpoints = openCheckpoints(dataDir, cwd, systemClock)
  const files = openGroundFiles({ cwd, ground, rules: [], checkpoints, maxReadBytes: MAX_CHANGE_BYTES })
  return {
    ...createUndo({ ground: files.ground, checkpoints, maxChangeBytes: MAX_CHANGE_BYTES }),
    async close() {
      await files.close()
      await checkpoints.close()
    },
  }
}
