/** Search over one folder for whoever may see only a little of it. */

export { createWorkspaceSearch } from './create-workspace-search.ts'
export type { OpenWorkspaceSearch } from './create-workspace-search.ts'
export { IndexKeeper } from './index-keeper.ts'
export type { KeeperParts } from './index-keeper.ts'
