export { canSandbox } from './sandboxed.ts'
export { createCommands } from './commands.ts'
