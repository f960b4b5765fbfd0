/**
 * How a call is named in a trace and in metrics: the OpenTelemetry semantic conventions for MCP servers
 * (GenAI conventions 0.1, `mcp.server` span and `mcp.server.operation.duration`), and `arrowhead.*` beside them.
 * Every value is a registered name, a code, or an id that this server made.
 */

import type { Kind } from '../../kernel/call.ts'
import type { Door } from '../../kernel/caller.ts'
import type { CallRecord } from './call-record.ts'

export type Attributes = Readonly<Record<string, string>>

const METHODS = {
  tool: 'tools/call', prompt: 'prompts/get', resource: 'resources/read', completion: 'completion/complete',
} as const satisfies Partial<Record<Kind, string>>

const LISTINGS: Readonly<Record<string, string>> = {
  tools: 'tools/list', resources: 'resources/list', templates: 'resources/templates/list', prompts: 'prompts/list',
}

/** The MCP method of a call, also where a door that is not MCP made it. */
export const methodOf = ({ kind, component }: Pick<CallRecord, 'kind' | 'component'>): string =>
  kind === 'listing' ? (LISTINGS[component] ?? 'tools/list') : METHODS[kind]

/** The method and, for tools and prompts, the name: `tools/call calculate`. A resource's URI is left out of it. */
export const spanName = (record: CallRecord): string =>
  record.kind === 'tool' || record.kind === 'prompt' ? `${methodOf(record)} ${record.component}` : methodOf(record)

/** Whether the call came as an MCP request, and not from the same process. */
export const isServed = (door: Door): boolean => door === 'stdio' || door === 'http'

const TRANSPORTS: Partial<Record<Door, string>> = { stdio: 'pipe', http: 'tcp' }

const MISNAMED: ReadonlySet<string> = new Set(['component.unknown', 'resource.missing', 'consent.ticket'])

/**
 * The error number of the JSON-RPC response (JSON-RPC 2.0 §5.1), as a text; undefined where the response is a
 * result. A tool's refusal is a result that the model sees, unless the request itself named what is not there.
 */
export function statusCodeOf({ kind, door, code }: Pick<CallRecord, 'kind' | 'door' | 'code'>): string | undefined {
  if (!isServed(door) || code === '') return undefined
  if (code === 'task.required') return '-32021'
  if (kind === 'tool' && !MISNAMED.has(code)) return undefined
  return MISNAMED.has(code) || code === 'input.invalid' ? '-32602' : '-32603'
}

/** What has a value. A loop, because it runs three times in each call and lists of pairs cost most of it. */
function only(given: Readonly<Record<string, string | undefined>>): Attributes {
  const kept: Record<string, string> = {}
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (value !== undefined && value !== '') kept[name] = value
  }
  return kept
}

/** Attributes of the duration histogram: few values each, since every combination is a series of its own. */
export const durationAttributes = (record: CallRecord): Attributes =>
  only({
    'mcp.method.name': methodOf(record),
    'gen_ai.tool.name': record.kind === 'tool' ? record.component : undefined,
    'gen_ai.operation.name': record.kind === 'tool' ? 'execute_tool' : undefined,
    'gen_ai.prompt.name': record.kind === 'prompt' ? record.component : undefined,
    'network.transport': TRANSPORTS[record.door],
    'rpc.response.status_code': statusCodeOf(record),
    'error.type': record.code,
  })

/** Attributes of the span. The URI is the one that was registered: what a caller put into a template is a value. */
export const spanAttributes = (record: CallRecord): Attributes => ({
  ...durationAttributes(record),
  ...only({
    'mcp.resource.uri': record.kind === 'resource' && record.known ? record.component : undefined,
    'arrowhead.component': record.kind === 'completion' ? record.component : undefined,
    'arrowhead.call.id': record.id,
    'arrowhead.door': record.door,
    'arrowhead.outcome': record.outcome,
    'arrowhead.incident': record.incident,
  }),
})

/** Attributes of the call counter. An incident id is none: it would be a series for each fault. */
export const callAttributes = ({ component, kind, outcome, code }: CallRecord): Attributes => only({ component, kind, outcome, code })
