import type { Models } from '../../kernel/ports/models.ts'
import { refusal } from '../../kernel/refusal.ts'

/** Stands where the operator named no model: every prompt is refused. */
export const noModel: Models = {
  maxPromptChars: Number.MAX_SAFE_INTEGER,
  quote: (text) => text,
  complete: async () => {
    throw refusal('model.none', 'the operator can name one in the settings')
  },
}
