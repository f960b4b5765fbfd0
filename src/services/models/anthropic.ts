/** Anthropic's Messages API (version 2023-06-01), streamed as server-sent events. */

import { at } from './protocol.ts'
import type { Protocol } from './protocol.ts'

export const ANTHROPIC_ENDPOINT = 'https://api.anthropic.com/v1/messages'

const LENGTHS = ['max_tokens', 'model_context_window_exceeded']

export const anthropic: Protocol = {
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }),
  body: ({ model, system, messages, maxTokens }) => ({ ...(model !== undefined && { model }), max_tokens: maxTokens, system, messages, stream: true }),

  piece(message, answer) {
    switch (at(message, 'type')) {
      case 'message_start':
        answer.named(at(message, 'message', 'model'))
        return answer.counted(at(message, 'message', 'usage', 'input_tokens'), undefined)
      case 'content_block_start':
        return answer.add(at(message, 'content_block', 'text'))
      case 'content_block_delta':
        return at(message, 'delta', 'type') === 'text_delta' ? answer.add(at(message, 'delta', 'text')) : undefined
      case 'message_delta':
        answer.stopped(at(message, 'delta', 'stop_reason'), LENGTHS)
        return answer.counted(undefined, at(message, 'usage', 'output_tokens'))
      case 'message_stop':
        return answer.over()
      case 'error':
        return answer.failed()
    }
  },

  whole(message, answer) {
    if (at(message, 'type') === 'error') return answer.failed()
    answer.named(at(message, 'model'))
    answer.counted(at(message, 'usage', 'input_tokens'), at(message, 'usage', 'output_tokens'))
    answer.stopped(at(message, 'stop_reason'), LENGTHS)
    const blocks = at(message, 'content')
    for (const block of Array.isArray(blocks) ? blocks : []) if (at(block, 'type') === 'text') answer.add(at(block, 'text'))
    answer.over()
  },
}
