/** Text into vectors: offline without meaning, over HTTP, or with a small model in this process. */

export { createDeterministicEmbedder } from './deterministic.ts'
export type { HttpEmbedderOptions } from './http.ts'
export { createHttpEmbedder } from './http.ts'
export { createLocalEmbedder, LOCAL_DIMENSIONS } from './local.ts'
