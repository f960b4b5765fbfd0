/** A model of the assistant that decides what it was told to decide, and is an error when it is asked for more. */

import type { ChatModel, ChatRequest } from '../kernel/ports/chat.ts'

/** A text as it is, a call of the provider's own, or what is thrown instead. */
export type Scripted = string | Error | { readonly name: string; readonly args: object | string; readonly text?: string } | ((request: ChatRequest) => string)

export interface ScriptedChat extends ChatModel {
  readonly asked: readonly ChatRequest[]
  /** Answers that nobody asked for yet. */
  readonly left: number
}

/** @param speaksTools whether it has calling of its own. @default the JSON form alone */
export function scriptedChat(script: readonly Scripted[], { speaksTools = false, maxPromptChars = 60_000 } = {}): ScriptedChat {
  const asked: ChatRequest[] = []
  return {
    asked, speaksTools, maxPromptChars,
    get left() {
      return script.length - asked.length
    },
    async chat(request) {
      const said = script[asked.length]
      if (said === undefined) throw new Error(`the model was asked ${asked.length + 1} times, and scripted for ${script.length}`)
      asked.push(request)
      if (said instanceof Error) throw said
      const turn = { lacksTools: false, tokens: {}, model: 'scripted', isCut: false }
      if (typeof said === 'object') {
        const args = typeof said.args === 'string' ? said.args : JSON.stringify(said.args)
        return { ...turn, text: said.text ?? '', calls: [{ id: `c${asked.length}`, name: said.name, args }] }
      }
      const text = typeof said === 'string' ? said : said(request)
      request.onText?.(text)
      return { ...turn, text, calls: [] }
    },
  }
}

/** One decision in the JSON form. */
export const choose = (tool: string, args: object = {}): string => JSON.stringify({ tool, args })
export const answer = (text: string): string => JSON.stringify({ answer: text })
