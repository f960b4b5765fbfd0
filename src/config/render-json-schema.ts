/** Writes the JSON Schema (draft 2020-12) of the config file, for editors and for checks before a start. */

import * as z from 'zod'
import { SETTINGS } from './settings.ts'
import type { Setting } from './settings.ts'

function property({ kind, fallback, says, risk }: Setting): Readonly<Record<string, unknown>> {
  const { $schema, ...shape } = z.toJSONSchema((kind.fileSchema ?? kind.schema)(), {
    target: 'draft-2020-12',
    io: 'input',
  })
  return {
    description: risk === undefined ? says : `${says} Risk: ${risk}`,
    ...shape,
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}

/** The schema as JSON text with two-space indentation, ending in a line break. */
export function renderJsonSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Arrowhead settings',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(SETTINGS.map((setting) => [setting.key, property(setting)])),
    },
    additionalProperties: false,
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}
