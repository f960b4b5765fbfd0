/** What an operator should hear at every start: dangers that were spelled, and levels that were lowered. */

import { loweredLines } from '../../app/lowered-levels.ts'
import { announceRisks } from '../../config/index.ts'
import type { LoadedSettings } from '../../config/index.ts'
import { say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export function announce(terminal: Terminal, loaded: LoadedSettings): void {
  for (const risk of [...announceRisks(loaded), ...loweredLines(loaded.values)]) say(terminal, `arrowhead: warning: ${risk}`)
}
