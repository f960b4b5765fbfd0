/** The content boundary: what came from outside is cleaned for its format before anything shows it. */

export { cleanLine, cleanText } from './clean-text.ts'
export { JSON_LIMITS, sanitiseJson } from './json-sanitiser.ts'
export type { JsonLimits } from './json-sanitiser.ts'
export { MARKDOWN_LIMITS, sanitiseMarkdown } from './markdown-sanitiser.ts'
export type { MarkdownLimits } from './markdown-sanitiser.ts'
export { provenance } from './provenance.ts'
export type { Provenance, ProvenanceOf } from './provenance.ts'
export { createRedactor } from './redactor.ts'
export { createSanitiser } from './sanitiser.ts'
export type { ContentFormat, Sanitiser, SanitiserLimits } from './sanitiser.ts'
export { decodeUtf8, sanitiseText } from './text-encoding.ts'
