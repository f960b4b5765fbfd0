/** What a door needs in order to start a workspace server. */

import type { AgentWorld } from './agent-world.ts'
import type { OpenAgent } from '../services/solo-agent/index.ts'
import type { WorkspaceAgentOptions } from './workspace-agent.ts'

export { createWorkspaceApp } from './create-workspace-app.ts'
export { loadOrders } from './operator-orders.ts'
export { APPROVES_ALL, findGround, isModeKey, loadRules, refuseModeIn } from './workspace-ground.ts'
export { workspaceSettings } from './workspace-settings.ts'
export { parseMode } from '../policy/workspace-rules.ts'
export type { Mode } from '../policy/workspace-rules.ts'

/** Loads the assistant, and with it all that could call a model; without this call none of it is there. */
export async function loadWorkspaceAgent(options: WorkspaceAgentOptions): Promise<(world: AgentWorld) => OpenAgent> {
  const { openWorkspaceAgent } = await import('./workspace-agent.ts')
  return (world) => openWorkspaceAgent(world, options)
}
