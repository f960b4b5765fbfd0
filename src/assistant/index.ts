/** The assistant: decide, call, observe. */

export { createAssistant } from './assistant.ts'
export { createConversation } from './conversation.ts'
export type { Conversation } from './conversation.ts'
export type { Assistant, AssistantEvent, Ended, ToolCard } from './words.ts'
