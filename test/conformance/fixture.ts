/** The one shape that every tool of the fixture server has: no services, no effect, content blocks as its answer. */

import { Answer, defineJsonTool } from '../../src/index.ts'
import type { Block, CallContext, Fields, Schema, Tool } from '../../src/index.ts'

/** What fixtures have in common, whatever they are. */
export const SCOPE = 'conformance:read'

export interface FixtureTool {
  /** As the suite spells it. */
  readonly name: string
  readonly summary: string
  /** @default no input at all */
  readonly input?: Fields | Schema
  run(input: Fields, context: CallContext): readonly Block[] | Promise<readonly Block[]>
}

const NO_INPUT = { type: 'object', properties: {}, additionalProperties: false }

export const fixtureTool = ({ name, summary, input = NO_INPUT, run }: FixtureTool): Tool =>
  defineJsonTool({
    name, summary, input, title: name.replaceAll('_', ' '), scope: SCOPE,
    level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 10_000, uses: [], examples: [], origin: 'server',
    touches: () => [],
    run: async (given, _services, context) => new Answer({}, await run(given, context)),
  })

export const texts = (text: string): readonly Block[] => [{ type: 'text', text }]

/** An object of required fields. */
export const form = (properties: Readonly<Record<string, Fields>>): Fields => ({ type: 'object', properties, required: Object.keys(properties) })
