/** The content boundary: what came from outside is cleaned for its format before anything shows it. */

export { createSanitiser } from './sanitiser.ts'
export { sanitiseText } from './text-encoding.ts'
