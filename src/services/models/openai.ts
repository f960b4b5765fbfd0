/** Chat completions as OpenAI wrote them and others speak them: Ollama, vLLM, LM Studio, llama.cpp and gateways. */

import type { AnswerSoFar } from './answer-so-far.ts'
import type { ChatMessage } from '../../kernel/ports/chat.ts'
import { at, functionsOf } from './protocol.ts'
import type { Protocol } from './protocol.ts'

/** Stopped before its end: by its length, or by a filter that took the rest. */
const EARLY = ['length', 'content_filter']
/** Its newer models refuse the field that every other server knows. */
const NEWER_FIELD_HOST = 'api.openai.com'

function common(message: unknown, answer: AnswerSoFar): void {
  answer.named(at(message, 'model'))
  answer.counted(at(message, 'usage', 'prompt_tokens'), at(message, 'usage', 'completion_tokens'))
  answer.stopped(at(message, 'choices', 0, 'finish_reason'), EARLY)
  if (at(message, 'error') !== undefined && at(message, 'error') !== null) answer.failed()
}

function wire(message: ChatMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.id, content: message.content }
  if (!('call' in message)) return message
  const { id, name, args } = message.call
  return { role: 'assistant', content: message.content, tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] }
}

/** In a stream each piece says which call it belongs to; in a whole answer the place does. */
function calls(list: unknown, answer: AnswerSoFar): void {
  for (const [place, call] of (Array.isArray(list) ? list : []).entries()) {
    answer.calling(at(call, 'index') ?? place, { id: at(call, 'id'), name: at(call, 'function', 'name'), args: at(call, 'function', 'arguments') })
  }
}

export const openai: Protocol = {
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, system, messages, tools, maxTokens, host }) => ({
    ...(model !== undefined && { model }),
    [host === NEWER_FIELD_HOST ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    messages: [{ role: 'system', content: system }, ...messages.map(wire)],
    ...functionsOf(tools),
    stream: true,
    stream_options: { include_usage: true },
  }),

  piece(message, answer) {
    if (message === '[DONE]') return answer.over()
    answer.add(at(message, 'choices', 0, 'delta', 'content'))
    calls(at(message, 'choices', 0, 'delta', 'tool_calls'), answer)
    common(message, answer)
  },

  whole(message, answer) {
    answer.add(at(message, 'choices', 0, 'message', 'content'))
    calls(at(message, 'choices', 0, 'message', 'tool_calls'), answer)
    common(message, answer)
    answer.over()
  },
}
