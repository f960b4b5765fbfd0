/** A world of texts for the context tools: stores in memory, the real sources, scanner and counter over them. */

import { createScanner } from '../../services/secrets/index.ts'
import { cleanText } from '../../services/content/clean-text.ts'
import { createFullText, createSources } from '../../services/sources/index.ts'
import type { SourceStore } from '../../services/sources/index.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { SourceKind, Sources } from '../../kernel/ports/sources.ts'
import type { Ranker } from '../../kernel/ports/sources.ts'
import type { Settings } from '../../config/index.ts'
import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'

export type Texts = Readonly<Record<string, string>>

export const storeOf = (texts: Texts): SourceStore => ({
  async *list() {
    yield* Object.keys(texts).sort()
  },
  async text(identifier) {
    const text = Object.hasOwn(texts, identifier) ? texts[identifier] : undefined
    if (text === undefined) throw refusal('file.unavailable')
    return text
  },
})

const scanner = createScanner()

export interface ContextTexts {
  readonly docs?: Texts
  readonly code?: Texts
  readonly rankers?: readonly Ranker[]
}

export function sourcesOf({ docs = {}, code = {}, rankers = [] }: ContextTexts): Sources {
  const stores = { doc: storeOf(docs), repo_file: storeOf(code) }
  const kinds = Object.keys(stores) as SourceKind[]
  return createSources({
    readers: stores,
    rankers: [...kinds.map((kind) => createFullText({ kind, store: stores[kind], maxFiles: 1_000, maxChars: 1_000_000 })), ...rankers],
    prepare: async () => ({
      clean: cleanText, redact: (text) => text,
      scan: (text) => scanner.scan(text).map((found) => ({ ...found, lastLine: found.line + text.slice(found.start, found.end).split('\n').length - 1 })),
    }),
  })
}

export const contextApp = (texts: ContextTexts, settings: { readonly [Key in keyof Settings]?: unknown } = {}): TestApp =>
  testApp({ settings: { rateLimitEnabled: false, ...settings }, options: { replace: { services: { sources: sourcesOf(texts) } } } })

/** The fields of an answer, or the outcome where there is none. */
export async function answerOf(calling: ReturnType<TestApp['call']>): Promise<Readonly<Record<string, unknown>>> {
  const outcome = await calling
  return outcome.is === 'ok' ? outcome.answer.value : { ...outcome }
}

/** What stands between the fences. */
export const unframed = (content: string): string => /^<<data ([\w-]{16})>>\n([\s\S]*)\n<<end \1>>$/.exec(content)?.[2] ?? `not framed: ${content}`
