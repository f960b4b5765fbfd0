/** Text into vectors: offline without meaning, over HTTP, or with a small model in this process. */

export { createDeterministicEmbedder } from './deterministic.ts'
export { createHttpEmbedder } from './http.ts'
export { createLocalEmbedder } from './local.ts'
