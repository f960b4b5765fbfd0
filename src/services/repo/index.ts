/** The source tree behind the code tools. */

export { createRepo } from './source-repo.ts'
export type { OpenRepo, RepoOptions } from './source-repo.ts'
