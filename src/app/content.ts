/** What the release guards clean and redact with. */

import { secretValues } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { GuardDeps } from '../guard/deps.ts'
import type { ContentPort } from '../kernel/ports/content.ts'
import { cleanLine, cleanText } from '../services/content/clean-text.ts'
import { createRedactor } from '../services/content/redactor.ts'
import type { Documents } from './documents.ts'

export const contentOf = (settings: Settings, content: ContentPort, scanner: Documents['scanner']): GuardDeps['content'] => ({
  sanitise: (text, format) => (format === 'line' ? cleanLine(text) : cleanText(text)),
  rebuild: (text, format) => content.clean(text, format),
  redact: createRedactor(secretValues(settings)),
  async scanner() {
    const { redact } = await scanner()
    return (text) => redact(text).text
  },
})
