export { createCommands } from './commands.ts'
