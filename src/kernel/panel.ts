/** What a person is shown before they agree to a call. Every text of it was made visible: nothing in it hides or acts. */

import type { Effect, Level } from './level.ts'

export interface Panel {
  readonly tool: string
  readonly title: string
  readonly level: Level
  readonly effect: Effect
  /** What the call names in the world, whole names; empty where it names nothing. */
  readonly targets: readonly string[]
  /** The arguments as they will be used. */
  readonly args: string
  /** What would be written, or change, by lines; undefined where the call replaces nothing. */
  readonly change: string | undefined
  /** Why a person is asked. A sentence of ours, never a model's. */
  readonly reason: string
  /** Equal for two calls only if tool, level, arguments and what would be replaced are all equal. */
  readonly scope: string
}
