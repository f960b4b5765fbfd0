/** MCP over streamable HTTP. */

export type { TokenVerifier } from './authenticate.ts'
export { createHttpDoor } from './door.ts'
export type { HttpDoor, HttpDoorOptions } from './door.ts'
