/** Tools that answer: one of each kind of content, an error, progress, log messages, and a schema that must arrive as it was written. */

import { setTimeout as pause } from 'node:timers/promises'
import { refusal } from '../../src/index.ts'
import type { CallContext, Fields, Schema, Tool } from '../../src/index.ts'
import { fixtureTool, texts } from './fixture.ts'
import { PNG, WAV } from './samples.ts'

/** Between two notifications, so that a client can tell them from one. */
const STEP_MS = 50

const log = ({ tell }: CallContext, data: string): void => tell('notifications/message', { level: 'info', logger: 'conformance', data })

const contents: readonly Tool[] = [
  fixtureTool({
    name: 'test_simple_text', summary: 'Returns one text.',
    run: () => texts('This is a simple text response for testing.'),
  }),
  fixtureTool({
    name: 'test_image_content', summary: 'Returns one picture.',
    run: () => [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  }),
  fixtureTool({
    name: 'test_audio_content', summary: 'Returns one sound.',
    run: () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }),
  fixtureTool({
    name: 'test_embedded_resource', summary: 'Returns one resource within its answer.',
    run: () => [{ type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' } }],
  }),
  fixtureTool({
    name: 'test_multiple_content_types', summary: 'Returns a text, a picture and a resource.',
    run: () => [
      ...texts('Multiple content types test:'),
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' } },
    ],
  }),
  fixtureTool({
    name: 'test_error_handling', summary: 'Always says no.',
    run: () => Promise.reject(refusal('tool.failed', 'This tool intentionally returns an error for testing')),
  }),
]

const notifications: readonly Tool[] = [
  fixtureTool({
    name: 'test_tool_with_progress', summary: 'Tells three times how far it is.',
    async run(_input, { progress }) {
      for (const done of [0, 50, 100]) {
        progress(done, 100)
        await pause(STEP_MS)
      }
      return texts('The work is done.')
    },
  }),
  fixtureTool({
    name: 'test_tool_with_logging', summary: 'Logs three times while it works.',
    async run(_input, context) {
      for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        log(context, said)
        await pause(STEP_MS)
      }
      return texts('The work is done.')
    },
  }),
  fixtureTool({
    name: 'test_logging_tool', summary: 'Logs once, for whoever asked to hear it.',
    run(_input, context) {
      log(context, 'Tool execution started')
      return texts('The work is done.')
    },
  }),
]

/** Given by the suite, keyword by keyword. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: {
    name: { type: 'string' }, address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] }, phone: { type: 'string' }, email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const

const NAMES: ReadonlySet<string> = new Set(Object.keys(SCHEMA.properties))

/** References and conditions are more than the adapter for JSON Schema checks, so this tool brings its own checks. */
const input: Schema = {
  json: SCHEMA,
  names: NAMES,
  parse(raw) {
    const given = (raw ?? {}) as Fields
    const { contactMethod, phone, email } = given
    const fits = Object.keys(given).every((name) => NAMES.has(name)) && (contactMethod === 'phone' ? phone : email) !== undefined
    return fits ? { ok: true, value: given } : { ok: false, problems: ['phone or email: the one that contactMethod names'] }
  },
}

const schemaTool = fixtureTool({
  name: 'json_schema_2020_12_tool', summary: 'Takes input under a schema of many keywords.', input, run: () => texts('The input fits.'),
})

export const answeringTools: readonly Tool[] = [...contents, ...notifications, schemaTool]
