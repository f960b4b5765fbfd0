/** The assist tools over a scripted model and sources in memory. */

import { refusal } from '../../kernel/refusal.ts'
import type { Sources } from '../../kernel/ports/sources.ts'
import type { Settings } from '../../config/index.ts'
import { scriptedModel, testApp } from '../../testing/index.ts'

export const sourcesWith = (files: Readonly<Record<string, string>>): Sources => ({
  async read({ kind, identifier }) {
    const text = kind === 'repo_file' ? files[identifier] : undefined
    if (text === undefined) throw refusal('file.unavailable')
    const lines = text.split('\n')
    return { lines, sha256: 'a'.repeat(64), excerpt: (from, to) => ({ text: lines.slice(from - 1, to).join('\n'), redactions: 0 }) }
  },
  search: async () => [],
})

export interface AssistWorld {
  readonly files?: Readonly<Record<string, string>>
  readonly settings?: { readonly [Key in keyof Settings]?: unknown }
  readonly maxPromptChars?: number
}

export function assistApp(script: readonly (string | Error)[], { files = {}, settings = {}, ...limits }: AssistWorld = {}) {
  const model = scriptedModel(script, limits)
  return { model, ...testApp({ settings: { rateLimitEnabled: false, ...settings }, options: { replace: { services: { models: model, sources: sourcesWith(files) } } } }) }
}
