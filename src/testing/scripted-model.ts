/** A language model that says what it was told to say, and is an error when it is asked for more. */

import type { ModelRequest, Models } from '../kernel/ports/models.ts'

export interface ScriptedModel extends Models {
  /** Everything that it was asked so far. */
  readonly asked: readonly ModelRequest[]
  /** Answers that nobody asked for yet. */
  readonly left: number
}

/** @param script answers in order: a text, or what is thrown instead. */
export function scriptedModel(script: readonly (string | Error)[], { maxPromptChars = 32_000 }: Partial<Pick<Models, 'maxPromptChars'>> = {}): ScriptedModel {
  const asked: ModelRequest[] = []
  return {
    asked,
    get left() {
      return script.length - asked.length
    },
    maxPromptChars,
    quote: (text) => `<<data scripted>>\n${text}\n<<end scripted>>`,
    async complete(request) {
      const answer = script[asked.length]
      if (answer === undefined) throw new Error(`the model was asked ${asked.length + 1} times, and scripted for ${script.length}`)
      asked.push(request)
      if (answer instanceof Error) throw answer
      return { text: answer, tokens: { sent: 1, received: 1 }, model: 'scripted', isCut: false }
    },
  }
}
