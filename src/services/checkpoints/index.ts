export { CheckpointStore } from './checkpoint-store.ts'
