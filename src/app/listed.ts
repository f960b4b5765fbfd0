/** How a component is listed to clients, in MCP's field names. Made once; only what says something is sent. */

import { holdsOutside } from '../kernel/leaf.ts'
import type { Prompt, Resource } from '../kernel/resource.ts'
import type { JsonSchema } from '../kernel/schema.ts'
import type { Tool } from '../kernel/tool.ts'

type Listed = Readonly<Record<string, unknown>>

export const listedTool = (tool: Tool): Listed => {
  const outputSchema = releasedSchema(tool)
  return Object.freeze({
    name: tool.name,
    title: tool.title,
    description: tool.summary,
    inputSchema: tool.input.json,
    ...(outputSchema && { outputSchema }),
    annotations: hints(tool),
  })
}

/** All four behaviour hints, always: a client that gets none assumes the worst of three and the best of one. */
export const hints = ({ effect, idempotent, openWorld }: Pick<Tool, 'effect' | 'idempotent' | 'openWorld'>): Listed => ({
  readOnlyHint: effect === 'read',
  destructiveHint: effect === 'replace' || effect === 'delete',
  idempotentHint: idempotent,
  openWorldHint: openWorld,
})

type Outlined = { readonly properties?: Readonly<Record<string, JsonSchema>>; readonly required?: readonly string[] }

/**
 * The schema of what is really sent: the tool's own, and the notice that `frame` adds. A listing is read before
 * every conversation, so of lists and objects inside an answer it says no more than that they are there.
 */
function releasedSchema({ output, plan }: Tool): JsonSchema | undefined {
  if (!output) return undefined
  const { properties = {}, required, ...rest } = output.json as Outlined
  const outline = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, outlined(schema)]))
  const [notice, says] = holdsOutside(plan) ? [{ notice: { type: 'string' } }, ['notice']] : [{}, []]
  return { ...rest, properties: { ...notice, ...outline }, required: [...says, ...(required ?? [])] }
}

function outlined(schema: JsonSchema): JsonSchema {
  const { type, anyOf, description } = schema as { type?: unknown; anyOf?: readonly { type?: unknown }[]; description?: unknown }
  const said = type ?? anyOf?.map((one) => one.type)
  return said === undefined ? schema : { type: said, ...(description !== undefined && { description }) }
}

export const listedResource = ({ uri, name, title, summary, mimeType }: Resource, isTemplate: boolean): Listed =>
  Object.freeze({ ...(isTemplate ? { uriTemplate: uri } : { uri }), name, title, description: summary, mimeType })

export const listedPrompt = ({ name, title, summary, arguments: args }: Prompt): Listed =>
  Object.freeze({ name, title, description: summary, arguments: args })
