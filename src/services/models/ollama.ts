/** Ollama's own chat protocol (`/api/chat`): one JSON object a line. */

import type { ChatMessage } from '../../kernel/ports/chat.ts'
import { at, functionsOf, objectOf } from './protocol.ts'
import type { Protocol } from './protocol.ts'

const EARLY = ['length']

function wire(message: ChatMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_name: message.name, content: message.content }
  if (!('call' in message)) return message
  const { name, args } = message.call
  return { role: 'assistant', content: message.content, tool_calls: [{ function: { name, arguments: objectOf(args) } }] }
}

export const ollama: Protocol = {
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, system, messages, tools, json, roomTokens, maxTokens }) => ({
    ...(model !== undefined && { model }),
    messages: [{ role: 'system', content: system }, ...messages.map(wire)],
    ...functionsOf(tools),
    ...(json === true && { format: 'json' }),
    // Without it a long prompt is cut at its beginning, in silence.
    options: { num_predict: maxTokens, ...(roomTokens !== undefined && { num_ctx: roomTokens }) },
    stream: true,
  }),

  piece(message, answer) {
    answer.named(at(message, 'model'))
    answer.add(at(message, 'message', 'content'))
    const calls = at(message, 'message', 'tool_calls')
    // Each comes whole.
    for (const call of Array.isArray(calls) ? calls : []) answer.calling(answer.callCount, { name: at(call, 'function', 'name'), args: at(call, 'function', 'arguments') })
    answer.counted(at(message, 'prompt_eval_count'), at(message, 'eval_count'))
    if (at(message, 'error') !== undefined) return answer.failed()
    if (at(message, 'done') !== true) return
    // Older versions give no reason with the last line.
    answer.stopped(at(message, 'done_reason') ?? 'stop', EARLY)
    answer.over()
  },

  whole(message, answer) {
    ollama.piece(message, answer)
    answer.over()
  },
}
