import type { Models } from '../../kernel/ports/models.ts'

export interface QuotePorts {
  /** Removes what a person would not see. */
  readonly clean: (text: string) => string
  /** Removes secrets of this server. */
  readonly redact: (text: string) => string
  /** Not to be guessed. */
  readonly newId: () => string
}

/** Text from outside in a prompt: between fences with a random name, so that nothing in it can end them. */
export const createQuote = ({ clean, redact, newId }: QuotePorts): Models['quote'] => (text) => {
  const fence = newId()
  return `<<data ${fence}>>\n${redact(clean(text))}\n<<end ${fence}>>`
}
