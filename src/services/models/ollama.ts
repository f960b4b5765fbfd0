/** Ollama's own chat protocol (`/api/chat`): one JSON object a line. */

import { at } from './protocol.ts'
import type { Protocol } from './protocol.ts'

const LENGTHS = ['length']

export const ollama: Protocol = {
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, system, messages, maxTokens }) => ({
    ...(model !== undefined && { model }),
    messages: [{ role: 'system', content: system }, ...messages],
    options: { num_predict: maxTokens },
    stream: true,
  }),

  piece(message, answer) {
    answer.named(at(message, 'model'))
    answer.add(at(message, 'message', 'content'))
    answer.counted(at(message, 'prompt_eval_count'), at(message, 'eval_count'))
    if (at(message, 'error') !== undefined) return answer.failed()
    if (at(message, 'done') !== true) return
    // Older versions give no reason with the last line.
    answer.stopped(at(message, 'done_reason') ?? 'stop', LENGTHS)
    answer.over()
  },

  whole(message, answer) {
    ollama.piece(message, answer)
    answer.over()
  },
}
