/** The OpenAPI document (3.1) of what this configuration serves, made from the table of routes and the catalogue. */

import type { App } from '../../app/create-app.ts'
import type { JsonSchema } from '../../kernel/schema.ts'
import { ROUTES } from './routes.ts'
import type { Route } from './routes.ts'
import { FAILURE } from './schemas.ts'

/** The tools that the local user sees, by name. */
export const toolsOf = ({ registry, local }: Pick<App, 'registry' | 'local'>): ReadonlyMap<string, App['registry']['enabled'][number]> =>
  new Map(registry.enabled.filter(({ list, scope }) => list === 'tools' && local.scopes.has(scope)).map((entry) => [entry.name, entry]))

export function openApi(app: App, { version, url }: { readonly version: string; readonly url: string }): object {
  const tools = toolsOf(app)
  const paths: Record<string, Record<string, object>> = {}
  for (const route of ROUTES) {
    if (route.tool !== undefined && !tools.has(route.tool)) continue
    const body = route.tool === undefined ? route.body : (tools.get(route.tool)?.listed()['inputSchema'] as JsonSchema)
    const at = (paths[route.path] ??= {})
    at[route.method.toLowerCase()] = operation(route, route.method === 'POST' ? body : undefined)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Arrowhead assistant', version, description: 'A local assistant whose model may only choose; what runs is decided by code, and by you.' },
    servers: [{ url }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths,
  }
}

const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })

/** What a message with `stream` is answered with, whose last event holds the answer that JSON would have been. */
const EVENTS = { 'text/event-stream': { schema: { type: 'string' } } } as const

function operation({ path, method, work, says, answer, query }: Route, body: JsonSchema | undefined): object {
  const calls = work === 'tool' || work === 'execute' || work === 'confirm'
  const parameters = [
    ...(path.includes('{name}') ? [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }] : []),
    ...Object.entries(query ?? {}).map(([name, maximum]) => ({ name, in: 'query', required: false, schema: { type: 'integer', minimum: 0, maximum } })),
  ]
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z]+([a-z]?)/gi, (_, letter: string) => letter.toUpperCase())}`,
    summary: says,
    ...(work === 'health' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, ...json(body) } }),
    responses: {
      200: { description: calls ? 'The call ran.' : 'Done.', content: { ...json(answer).content, ...(work === 'chat' && EVENTS) } },
      ...((calls || work === 'chat') && { 202: { description: 'A person must agree first: confirmation_required, with a ticket.', ...json(answer) } }),
      default: { description: 'A refusal or a fault, with its code.', ...json(calls ? { oneOf: [answer, FAILURE] } : FAILURE) },
    },
  }
}
