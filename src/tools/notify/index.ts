import type { Family } from '../../kernel/resource.ts'
import { notifyWebhook } from './notify-webhook.ts'

/** Data that goes out, on purpose. */
export const notify: Family = { name: 'notify', tools: [notifyWebhook], resources: [], prompts: [] }
