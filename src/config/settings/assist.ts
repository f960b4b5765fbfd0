/** The language model behind the assist tools. */

import { bytes, characters, choice, count, list, seconds } from '../kinds.ts'
import { hostPort, webUrl } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'
import { line } from '../text-kinds.ts'

export const assist = section('Language model', {
  LLM_PROVIDER: setting(choice(['none', 'anthropic', 'openai', 'ollama']), {
    default: 'none',
    says: 'Which protocol the model speaks: none makes the assist tools refuse, anthropic is the Messages API, openai is any compatible chat completions URL, ollama is its own /api/chat.',
  }),
  LLM_ENDPOINT: setting(webUrl(), {
    says: 'URL that prompts are posted to; required for openai and ollama, and unset means the public Messages API for anthropic.',
  }),
  LLM_MODEL: setting(line(200), {
    says: 'Name of the model to ask for; unset, none is named and the endpoint needs a default.',
  }),
  LLM_API_KEY: setting(line(4096), {
    secret: true,
    says: 'Key sent to the model endpoint and nowhere else; unset, no key is sent.',
  }),
  LLM_MAX_TOKENS: setting(count(1_000_000), { default: 1024, says: 'Most tokens the model may answer with.' }),
  LLM_TIMEOUT_SECONDS: setting(seconds(3600), { default: 60, says: 'Longest time one completion may take.' }),
  LLM_MAX_PROMPT_CHARS: setting(characters(10_000_000), {
    default: 32_000,
    says: 'Longest prompt sent to the model; a longer one is refused.',
  }),
  LLM_INTERNAL_HOSTS: setting(list(hostPort()), {
    risk: 'The model client may reach each pair named here although its address is private.',
    says: 'Exact private endpoints the model client may reach, such as a model on this machine; no tool gains anything, and unset and empty both name none.',
  }),
  DIFF_MAX_BYTES: setting(bytes(1_000_000_000), { default: 200_000, says: 'Largest diff that is summarised.' }),
})
