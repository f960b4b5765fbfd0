/** A server that speaks Ollama's protocol and says what it was told to, and the settings that lead to it. */

import { json, provider } from '../../src/services/models/provider.fixture.ts'
import type { Play } from '../../src/services/models/provider.fixture.ts'

export interface FakeModel {
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

const says = (content: string): Play => json(200, { model: 'm', message: { role: 'assistant', content }, done: true, done_reason: 'stop' })

export async function modelSaying(...texts: readonly string[]): Promise<FakeModel> {
  const { url, port, close } = await provider(...texts.map(says))
  return {
    close,
    env: {
      ARROWHEAD_LLM_PROVIDER: 'ollama', ARROWHEAD_LLM_MODEL: 'm', ARROWHEAD_LLM_ENDPOINT: url, ARROWHEAD_LLM_INTERNAL_HOSTS: `127.0.0.1:${port}`,
      ARROWHEAD_ASSISTANT_TOOL_CALLING: 'json',
    },
  }
}
