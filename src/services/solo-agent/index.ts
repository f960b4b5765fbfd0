/** An assistant for another program: one run at a time. */

export { createSoloAgent } from './create-solo-agent.ts'
export type { Loop, OpenAgent, SoloRun } from './create-solo-agent.ts'
