/** The assistant's HTTP API, for programs of this machine. */

export { createApiDoor } from './api-door.ts'
