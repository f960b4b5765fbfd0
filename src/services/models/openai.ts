/** Chat completions as OpenAI wrote them and others speak them: Ollama, vLLM, LM Studio, llama.cpp and gateways. */

import type { AnswerSoFar } from './answer-so-far.ts'
import { at } from './protocol.ts'
import type { Protocol } from './protocol.ts'

const LENGTHS = ['length']
/** Its newer models refuse the field that every other server knows. */
const NEWER_FIELD_HOST = 'api.openai.com'

function common(message: unknown, answer: AnswerSoFar): void {
  answer.named(at(message, 'model'))
  answer.counted(at(message, 'usage', 'prompt_tokens'), at(message, 'usage', 'completion_tokens'))
  answer.stopped(at(message, 'choices', 0, 'finish_reason'), LENGTHS)
  if (at(message, 'error') !== undefined && at(message, 'error') !== null) answer.failed()
}

export const openai: Protocol = {
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, system, messages, maxTokens, host }) => ({
    ...(model !== undefined && { model }),
    [host === NEWER_FIELD_HOST ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    messages: [{ role: 'system', content: system }, ...messages],
    stream: true,
    stream_options: { include_usage: true },
  }),

  piece(message, answer) {
    if (message === '[DONE]') return answer.over()
    answer.add(at(message, 'choices', 0, 'delta', 'content'))
    common(message, answer)
  },

  whole(message, answer) {
    answer.add(at(message, 'choices', 0, 'message', 'content'))
    common(message, answer)
    answer.over()
  },
}
