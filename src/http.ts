/** The HTTP door for programs that bring their own process: `import { createHttpDoor } from 'arrowhead/http'`. */

export { openIdentity } from './app/identity.ts'
export { createHttpDoor } from './doors/http/index.ts'
export type { HttpDoor, HttpDoorOptions, TokenVerifier } from './doors/http/index.ts'
