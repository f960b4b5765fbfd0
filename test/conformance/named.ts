/** Resources and prompts as the suite names them. */

import * as z from 'zod'
import { definePrompt, defineResource, elicit } from '../../src/index.ts'
import { formText } from './asking-tools.ts'
import { SCOPE, form } from './fixture.ts'
import { PNG } from './samples.ts'

const NOTHING = { scope: SCOPE, uses: [], touches: () => [] } as const

export const resources = [
  defineResource({
    ...NOTHING, uri: 'test://static-text', name: 'static-text', title: 'A text', summary: 'A text that never changes.', mimeType: 'text/plain',
    read: () => ({ text: 'This is the content of the static text resource.', mimeType: 'text/plain' }),
  }),
  defineResource({
    ...NOTHING, uri: 'test://static-binary', name: 'static-binary', title: 'A picture', summary: 'A picture that never changes.', mimeType: 'image/png',
    read: () => ({ blob: PNG, mimeType: 'image/png' }),
  }),
  defineResource({
    ...NOTHING, uri: 'test://watched-resource', name: 'watched-resource', title: 'A watched text', summary: 'A text that can be subscribed to.', mimeType: 'text/plain',
    read: () => ({ text: 'Watched resource content', mimeType: 'text/plain' }),
  }),
  defineResource({
    ...NOTHING, uri: 'test://template/{id}/data', name: 'template', title: 'Data by id', summary: 'A record that holds its own id.', mimeType: 'application/json',
    read: ({ id }) => ({ text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }), mimeType: 'application/json' }),
    complete: { id: (typed) => ['123', '456'].filter((id) => id.startsWith(typed)) },
  }),
]

const argument = (about: string) => z.string().max(1_000).describe(about)
const starting = (typed: string) => ['paris', 'park', 'party', 'test'].filter((word) => word.startsWith(typed))

export const prompts = [
  definePrompt({
    ...NOTHING, name: 'test_simple_prompt', title: 'Simple', summary: 'A prompt without arguments.', input: z.strictObject({}),
    messages: () => [{ role: 'user', text: 'This is a simple prompt for testing.' }],
  }),
  definePrompt({
    ...NOTHING, name: 'test_prompt_with_arguments', title: 'With arguments', summary: 'A prompt of two arguments.',
    input: z.strictObject({ arg1: argument('First test argument'), arg2: argument('Second test argument') }),
    messages: ({ arg1, arg2 }) => [{ role: 'user', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }],
    complete: { arg1: starting, arg2: starting },
  }),
  definePrompt({
    ...NOTHING, name: 'test_prompt_with_embedded_resource', title: 'With a resource', summary: 'A prompt that holds a resource.',
    input: z.strictObject({ resourceUri: argument('URI of the resource to embed') }),
    messages: ({ resourceUri }) => [
      { role: 'user', content: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } } },
      { role: 'user', text: 'Please process the embedded resource above.' },
    ],
  }),
  definePrompt({
    ...NOTHING, name: 'test_prompt_with_image', title: 'With a picture', summary: 'A prompt that holds a picture.', input: z.strictObject({}),
    messages: () => [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      { role: 'user', text: 'Please analyze the image above.' },
    ],
  }),
  definePrompt({
    ...NOTHING, name: 'test_input_required_result_prompt', title: 'With a question', summary: 'A prompt that asks for its context.', input: z.strictObject({}),
    messages(_input, _services, { ask }) {
      const question = elicit('What context should the prompt use?', form({ context: { type: 'string' } }))
      return [{ role: 'user', text: `Use this context: ${formText(ask({ user_context: question }), 'user_context', 'context')}` }]
    },
  }),
]
