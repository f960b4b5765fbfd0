/** Anthropic's Messages API (version 2023-06-01), streamed as server-sent events. */

import type { ChatMessage, ChatTool } from '../../kernel/ports/chat.ts'
import { at, objectOf } from './protocol.ts'
import type { Protocol } from './protocol.ts'

export const ANTHROPIC_ENDPOINT = 'https://api.anthropic.com/v1/messages'

/** Stopped before its end: by its length, or by a filter that took the rest. */
const EARLY = ['max_tokens', 'model_context_window_exceeded', 'refusal']

function wire(message: ChatMessage): object {
  if (message.role === 'tool') return { role: 'user', content: [{ type: 'tool_result', tool_use_id: message.id, content: message.content }] }
  if (!('call' in message)) return message
  const { id, name, args } = message.call
  const said = message.content.trim() === '' ? [] : [{ type: 'text', text: message.content }]
  return { role: 'assistant', content: [...said, { type: 'tool_use', id, name, input: objectOf(args) }] }
}

/** One decision at a time: calls in parallel are not wanted. */
const toolsOf = (tools: readonly ChatTool[] | undefined): object =>
  tools === undefined || tools.length === 0
    ? {}
    : { tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })), tool_choice: { type: 'auto', disable_parallel_tool_use: true } }

export const anthropic: Protocol = {
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }),
  body: ({ model, system, messages, tools, maxTokens }) => ({ ...(model !== undefined && { model }), max_tokens: maxTokens, system, messages: messages.map(wire), ...toolsOf(tools), stream: true }),

  piece(message, answer) {
    switch (at(message, 'type')) {
      case 'message_start':
        answer.named(at(message, 'message', 'model'))
        return answer.counted(at(message, 'message', 'usage', 'input_tokens'), undefined)
      case 'content_block_start':
        if (at(message, 'content_block', 'type') === 'tool_use') return answer.calling(at(message, 'index'), { id: at(message, 'content_block', 'id'), name: at(message, 'content_block', 'name') })
        return answer.add(at(message, 'content_block', 'text'))
      case 'content_block_delta':
        if (at(message, 'delta', 'type') === 'input_json_delta') return answer.calling(at(message, 'index'), { args: at(message, 'delta', 'partial_json') })
        return at(message, 'delta', 'type') === 'text_delta' ? answer.add(at(message, 'delta', 'text')) : undefined
      case 'message_delta':
        answer.stopped(at(message, 'delta', 'stop_reason'), EARLY)
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
    answer.stopped(at(message, 'stop_reason'), EARLY)
    const blocks = at(message, 'content')
    for (const [place, block] of (Array.isArray(blocks) ? blocks : []).entries()) {
      if (at(block, 'type') === 'text') answer.add(at(block, 'text'))
      if (at(block, 'type') === 'tool_use') answer.calling(place, { id: at(block, 'id'), name: at(block, 'name'), args: JSON.stringify(at(block, 'input') ?? {}) })
    }
    answer.over()
  },
}
