/** What a door needs in order to start a workspace server. */

export { createWorkspaceApp } from './create-workspace-app.ts'
export { APPROVES_ALL, findGround, isModeKey, loadRules, refuseModeIn } from './workspace-ground.ts'
export { workspaceSettings } from './workspace-settings.ts'
export { parseMode } from '../policy/workspace-rules.ts'
export type { Mode } from '../policy/workspace-rules.ts'
