/** The checks behind `doctor` for models: whether the one that is named answers and is there, and whether text becomes vectors. */

import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { OperatorClient } from '../exits/net/index.ts'
import { comesWith, notTried } from './credential-source.ts'
import type { Origins } from './credential-source.ts'
import { fail, ok, said, shown, warn } from './finding.ts'
import type { Finding } from './finding.ts'
import { endpointOf } from './chat-model.ts'
import { createEmbedder } from './data.ts'

const NO_MODEL = 'ask and chat need one: start Ollama and pull a model (ollama pull llama3.2), or set ARROWHEAD_LLM_PROVIDER and its neighbours'

const clientOf = async ({ egressAllowedHosts: allowedHosts, egressAllowedPorts: allowedPorts }: Settings, internalHosts: readonly string[]): Promise<OperatorClient> =>
  (await import('../exits/net/index.ts')).createOperatorClient({ allowedHosts, allowedPorts, internalHosts, userAgent: 'arrowhead' })

export async function diagnoseModel(settings: Settings): Promise<Finding> {
  const { llmProvider, llmModel: model, llmApiKey: key } = settings
  const { provider, endpoint, internalHosts } = endpointOf(settings)
  const { ANTHROPIC_ENDPOINT, listModels, offers } = await import('../services/models/index.ts')
  const isNamed = llmProvider !== 'none'
  try {
    const names = await listModels(await clientOf(settings, internalHosts), { provider, endpoint: endpoint ?? ANTHROPIC_ENDPOINT, key })
    if (names === undefined) return isNamed ? warn('the model server answers and lists no models, so nobody can tell whether the one named is there', 'try it: arrowhead ask "say hello"') : ok('no model is named', NO_MODEL)
    if (model !== undefined) return offers(names, model) ? ok(`the model server answers and has ${shown(model)}`) : fail('the model server answers and does not have the model of ARROWHEAD_LLM_MODEL', `pull it, or name one that is there: ${names.slice(0, 5).map(shown).join(', ') || 'none is'}`)
    if (names.length === 0) return isNamed ? fail('the model server has no model', 'pull one, or name another server in ARROWHEAD_LLM_ENDPOINT') : ok('Ollama answers and has no model', NO_MODEL)
    return provider === 'ollama' ? ok(`Ollama answers: the assistant would take ${shown(names[0])}`) : ok('the model server answers; no model is named, so it chooses')
  } catch (error) {
    return isNamed ? fail(`the model cannot be used: ${said(error)}`, 'start the model server, or correct ARROWHEAD_LLM_ENDPOINT; a private one is named in ARROWHEAD_LLM_INTERNAL_HOSTS') : ok('no model is named, and Ollama does not answer', NO_MODEL)
  }
}

/** The same with the settings that the assistant reads: they may lack something that only `./.env` has. */
export async function diagnoseAssistantModel(read: () => Settings): Promise<Finding> {
  try {
    return await diagnoseModel(read())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return warn(`the assistant, which does not read ./.env, cannot start: ${error.problems.join('; ')}`, 'put what it needs into the environment or the config file')
  }
}

/** Has one word made into a vector, as the first `doc_index` would. */
export async function diagnoseEmbedding(settings: Settings, origins?: Origins): Promise<Finding> {
  if (settings.embeddingProvider === 'deterministic') return ok('text becomes vectors in this process, by words and not by meaning')
  if (settings.embeddingApiKey !== undefined && !comesWith('embeddingEndpoint', ['embeddingApiKey'], origins)) return notTried('text becomes vectors elsewhere', 'ARROWHEAD_EMBEDDING_ENDPOINT')
  const embedder = createEmbedder(settings)
  try {
    await embedder.embed(['doctor'], { signal: AbortSignal.timeout(settings.embeddingTimeoutSeconds * 1_000) })
    return ok(`text becomes vectors of ${embedder.dimensions} dimensions`)
  } catch (error) {
    return fail(`text cannot be made into vectors: ${said(error)}`, settings.embeddingProvider === 'local' ? 'install the packages that the settings page names for local' : 'see ARROWHEAD_EMBEDDING_ENDPOINT, _MODEL, _API_KEY and _DIMENSIONS; a private endpoint is named in ARROWHEAD_INTERNAL_ENDPOINTS')
  } finally {
    await embedder.close()
  }
}
