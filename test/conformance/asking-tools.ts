/** Tools that ask the client something first. What comes back is unchecked, so each of them checks it. */

import { elicit, refusal } from '../../src/index.ts'
import type { CallContext, Question, Questions, Replies, Tool } from '../../src/index.ts'
import { fixtureTool, form, texts } from './fixture.ts'

const STRING = { type: 'string' } as const

const sample = (text: string, maxTokens = 100): Question =>
  ({ method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens } })

const ROOTS: Question = { method: 'roots/list', params: {} }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

const malformed = (): Error => refusal('input.invalid', 'the answer does not have the form that was asked for')

/** What a person did with a form, and what they filled in. */
export function formReply(replies: Replies, name: string): { readonly action: string; readonly content: Readonly<Record<string, unknown>> } {
  const reply = replies[name]
  if (!isRecord(reply) || typeof reply['action'] !== 'string') throw malformed()
  const { action, content } = reply
  return { action, content: isRecord(content) ? content : {} }
}

/** One text out of a form that was accepted. */
export function formText(replies: Replies, name: string, field: string): string {
  const { action, content } = formReply(replies, name)
  const value = content[field]
  if (action !== 'accept' || typeof value !== 'string') throw malformed()
  return value
}

function sampledText(replies: Replies, name: string): string {
  const reply = replies[name]
  const content = isRecord(reply) ? reply['content'] : undefined
  const text = isRecord(content) ? content['text'] : undefined
  if (typeof text !== 'string') throw malformed()
  return text
}

function rootUris(replies: Replies, name: string): readonly string[] {
  const reply = replies[name]
  const roots = isRecord(reply) ? reply['roots'] : undefined
  if (!Array.isArray(roots)) throw malformed()
  return roots.map((root: unknown) => (isRecord(root) ? String(root['uri']) : ''))
}

/** Asks for a form and says what came of it. */
const told = ({ ask }: CallContext, question: Question, label: string): string => {
  const { action, content } = formReply(ask({ form: question }), 'form')
  return `${label}: action=${action}, content=${JSON.stringify(content)}`
}

const NAME = { user_name: elicit('What is your name?', form({ name: STRING })) }

/** Confirms once, and looks whether what was kept meanwhile came back as it was. */
function confirmed({ ask, state }: CallContext): boolean {
  const { action } = formReply(ask({ confirm: elicit('Please confirm', form({ ok: { type: 'boolean' } })) }, { asked: 'confirm' }), 'confirm')
  return action === 'accept' && state['asked'] === 'confirm'
}

const DEFAULTS = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'User name', default: 'John Doe' },
    age: { type: 'integer', description: 'User age', default: 30 },
    score: { type: 'number', description: 'User score', default: 95.5 },
    status: { type: 'string', description: 'User status', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', description: 'Verification status', default: true },
  },
  required: [],
}

const titled = (...titles: readonly string[]) => titles.map((title, at) => ({ const: `value${at + 1}`, title }))
const OPTIONS = ['option1', 'option2', 'option3']

const CHOICES = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
  },
  required: [],
}

/** Asked while the call runs in the handshake era, in an answer of their own in the other. */
const handshakeTools: readonly Tool[] = [
  fixtureTool({
    name: 'test_sampling', summary: 'Has the client’s model answer a prompt.', input: form({ prompt: STRING }),
    run: ({ prompt }, { ask }) => texts(`LLM response: ${sampledText(ask({ prompt: sample(String(prompt)) }), 'prompt')}`),
  }),
  fixtureTool({
    name: 'test_elicitation', summary: 'Asks a person for a name and an address.', input: form({ message: STRING }),
    run: ({ message }, context) =>
      texts(told(context, elicit(String(message), form({ username: { ...STRING, description: 'User name' }, email: { ...STRING, description: 'Email address' } })), 'User response')),
  }),
  fixtureTool({
    name: 'test_elicitation_sep1034_defaults', summary: 'Asks with a default in every field.',
    run: (_input, context) => texts(told(context, elicit('Please review these values', DEFAULTS), 'Elicitation completed')),
  }),
  fixtureTool({
    name: 'test_elicitation_sep1330_enums', summary: 'Asks for choices of every form.',
    run: (_input, context) => texts(told(context, elicit('Please choose', CHOICES), 'Elicitation completed')),
  }),
  fixtureTool({
    name: 'test_missing_capability', summary: 'Needs a model of the client.',
    run: (_input, { ask }) => texts(sampledText(ask({ model: sample('Say hello') }), 'model')),
  }),
  fixtureTool({
    name: 'test_streaming_elicitation', summary: 'Asks where an answer might have been a stream.',
    run: (_input, { ask }) => texts(formText(ask(NAME), 'user_name', 'name')),
  }),
]

const EVERYTHING: Questions = { ...NAME, greeting: sample('Generate a greeting', 50), client_roots: ROOTS }

const roundTools: readonly Tool[] = [
  fixtureTool({
    name: 'test_input_required_result_elicitation', summary: 'Greets whoever gives a name.',
    run: (_input, { ask }) => texts(`Hello, ${formText(ask(NAME), 'user_name', 'name')}!`),
  }),
  fixtureTool({
    name: 'test_input_required_result_sampling', summary: 'Has the client’s model name a capital.',
    run: (_input, { ask }) => texts(sampledText(ask({ capital_question: sample('What is the capital of France?') }), 'capital_question')),
  }),
  fixtureTool({
    name: 'test_input_required_result_list_roots', summary: 'Names the client’s roots.',
    run: (_input, { ask }) => texts(`Roots: ${rootUris(ask({ client_roots: ROOTS }), 'client_roots').join(', ')}`),
  }),
  fixtureTool({
    name: 'test_input_required_result_request_state', summary: 'Confirms, and checks what was kept meanwhile.',
    run: (_input, context) => texts(confirmed(context) ? 'state-ok' : 'state-lost'),
  }),
  fixtureTool({
    name: 'test_input_required_result_tampered_state', summary: 'Confirms, under a state that nobody may change.',
    run: (_input, context) => texts(confirmed(context) ? 'state-ok' : 'state-lost'),
  }),
  fixtureTool({
    name: 'test_input_required_result_multiple_inputs', summary: 'Asks a person, a model and the client at once.',
    run(_input, { ask }) {
      const replies = ask(EVERYTHING)
      return texts(`${sampledText(replies, 'greeting')} ${formText(replies, 'user_name', 'name')}: ${rootUris(replies, 'client_roots').join(', ')}`)
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_multi_round', summary: 'Asks for a name, then for a colour.',
    run(_input, { ask, state }) {
      const name = typeof state['name'] === 'string' ? state['name'] : formText(ask({ step1: elicit('Step 1: What is your name?', form({ name: STRING })) }), 'step1', 'name')
      const color = formText(ask({ step2: elicit('Step 2: What is your favorite color?', form({ color: STRING })) }, { name }), 'step2', 'color')
      return texts(`${name} likes ${color}`)
    },
  }),
  fixtureTool({
    name: 'test_input_required_result_capabilities', summary: 'Asks a model and never a person.',
    run: (_input, { ask }) => texts(sampledText(ask({ model: sample('Say hello') }), 'model')),
  }),
]

export const askingTools: readonly Tool[] = [...handshakeTools, ...roundTools]
