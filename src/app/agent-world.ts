/** What the assistant of a workspace is given by the server that it works in. */

import type { Settings } from '../config/index.ts'
import type { GuardDeps } from '../guard/deps.ts'
import type { Clock } from '../kernel/clock.ts'
import type { ChatModel } from '../kernel/ports/chat.ts'
import type { Sessions } from '../kernel/ports/sessions.ts'
import type { Canary } from '../policy/canary.ts'
import type { Ground } from '../policy/workspace-place.ts'
import type { Rule } from '../policy/workspace-rules.ts'
import type { OperatorOrders } from './operator-orders.ts'

export interface AgentWorld {
  readonly settings: Settings
  readonly dataDir: string
  /** The workspace, without links. */
  readonly cwd: string
  readonly ground: Ground
  readonly rules: readonly Rule[]
  readonly orders: OperatorOrders
  readonly canary: Canary
  readonly sessions: Sessions
  readonly clock: Clock
  /** @default the one of the settings, or Ollama on this machine */
  readonly model?: ChatModel | undefined
  /** What the guards of the server ask; there once it stands. */
  deps(): GuardDeps
  warn(event: Readonly<Record<string, unknown>>): void
}
