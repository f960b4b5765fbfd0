/** Tools whose work goes on as a task where the client polls one. */

import { setTimeout as pause } from 'node:timers/promises'
import { Answer, defineJsonTool, elicit, refusal } from '../../src/index.ts'
import type { Block, CallContext, Fields, Tool } from '../../src/index.ts'
import { formReply, formText } from './asking-tools.ts'
import { SCOPE, form, texts } from './fixture.ts'

interface TaskTool {
  readonly name: string
  readonly summary: string
  readonly properties?: Readonly<Record<string, Fields>>
  readonly required?: readonly string[]
  /** Whether the work is done only for clients that poll. */
  readonly needsTask?: boolean
  /** Whether it is done before anybody could poll. */
  readonly isQuick?: boolean
  /** Asked before it becomes a task; what it returns goes with the work. */
  before?(context: CallContext): Fields
  work(input: Fields, context: CallContext): readonly Block[] | Promise<readonly Block[]>
}

const taskTool = ({ name, summary, properties = {}, required = [], needsTask = false, isQuick = false, before = () => ({}), work }: TaskTool): Tool =>
  defineJsonTool({
    name, summary, title: name.replaceAll('_', ' '), input: { type: 'object', properties, required, additionalProperties: false }, scope: SCOPE,
    level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 10_000, uses: ['tasks'], examples: [], origin: 'server',
    touches: () => [],
    async run(input, { tasks }, context) {
      if (!context.isTask && !isQuick) {
        await context.handOver(tasks, { name, args: { ...input, ...before(context) } })
        if (needsTask) throw refusal('task.required')
      }
      return new Answer({}, await work(input, context))
    },
  })

const CONFIRM = form({ confirm: { type: 'boolean' } })
const STRING = { type: 'string' } as const

export const taskTools: readonly Tool[] = [
  taskTool({
    name: 'greet', summary: 'Greets at once.', properties: { name: STRING }, required: ['name'], isQuick: true,
    work: ({ name }) => texts(`Hello, ${String(name)}!`),
  }),
  taskTool({
    name: 'slow_compute', summary: 'Takes as many seconds as it is told.', properties: { seconds: { type: 'number' }, label: STRING }, required: ['seconds'],
    async work({ seconds, label = '' }, { signal }) {
      await pause(Number(seconds) * 1000, undefined, { signal })
      return texts(`computed ${String(label)}`)
    },
  }),
  taskTool({
    name: 'failing_job', summary: 'Says no after a second.', needsTask: true,
    async work(_input, { signal }) {
      await pause(1000, undefined, { signal })
      throw refusal('tool.failed', 'the job always fails')
    },
  }),
  taskTool({
    name: 'protocol_error_job', summary: 'Breaks.',
    work: () => Promise.reject(new Error('broken on purpose')),
  }),
  taskTool({
    name: 'confirm_delete', summary: 'Deletes nothing, but asks first.', properties: { filename: STRING }, required: ['filename'],
    work({ filename }, { ask }) {
      const { action } = formReply(ask({ confirm: elicit(`Delete ${String(filename)}?`, CONFIRM) }), 'confirm')
      return texts(`${action === 'accept' ? 'deleted' : 'kept'} ${String(filename)}`)
    },
  }),
  taskTool({
    name: 'multi_input', summary: 'Asks two things at once.',
    work(_input, { ask }) {
      const replies = ask({ first: elicit('First?', CONFIRM), second: elicit('Second?', CONFIRM) })
      return texts(`${formReply(replies, 'first').action} ${formReply(replies, 'second').action}`)
    },
  }),
  taskTool({
    name: 'test_tool_with_task', summary: 'Asks for a name, then greets as a task.', properties: { gathered: STRING }, needsTask: true,
    before: ({ ask }) => ({ gathered: formText(ask({ user_name: elicit('What is your name?', form({ name: STRING })) }), 'user_name', 'name') }),
    work: ({ gathered }) => texts(`Hello, ${String(gathered)}!`),
  }),
]
