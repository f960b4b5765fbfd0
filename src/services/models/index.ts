/** The language model behind the assist tools. */

import { anthropic } from './anthropic.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'

export { ANTHROPIC_ENDPOINT } from './anthropic.ts'
export { createModels } from './create-models.ts'
export { listModels, offers } from './list-models.ts'
export type { ModelOptions, ModelPorts } from './create-models.ts'

/** By the word that names each in the settings. */
export const PROTOCOLS = { anthropic, openai, ollama }
