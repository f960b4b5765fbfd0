/** The HTTP door for programs that bring their own process: `import { createHttpDoor } from 'arrowhead/http'`. */

export { createHttpDoor } from './doors/http/index.ts'
export type { HttpDoor, HttpDoorOptions, Identity } from './doors/http/index.ts'
