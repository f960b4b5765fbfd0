/** The user's own programs around the calls of an assistant. */

export { createHooks } from './create-hooks.ts'
export { parseHooks } from './parse-hooks.ts'
