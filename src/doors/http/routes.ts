/** Every path this door serves, in one table. A path is matched byte for byte: nothing is decoded or normalised. */

export type RouteName = 'mcp' | 'health' | 'ready' | 'metadata' | 'metrics'

export interface Route {
  readonly name: RouteName
  readonly methods: readonly string[]
  /** Whether Host and Origin are checked. The other routes answer fixed or public text, and probes name any host. */
  readonly guarded: boolean
}

const MCP: Route = { name: 'mcp', methods: ['POST', 'DELETE', 'OPTIONS'], guarded: true }
const HEALTH: Route = { name: 'health', methods: ['GET', 'HEAD'], guarded: false }
const READY: Route = { name: 'ready', methods: ['GET', 'HEAD'], guarded: false }
const METADATA: Route = { name: 'metadata', methods: ['GET', 'HEAD', 'OPTIONS'], guarded: false }

/** Numbers about callers: whoever reads them says who they are, where authentication is on. */
const METRICS: Route = { name: 'metrics', methods: ['GET', 'HEAD'], guarded: true }

export const MCP_PATH = '/mcp'

/** @param metadataPaths where protected-resource metadata is found; none without authentication. */
export const createRoutes = (metadataPaths: readonly string[], hasMetrics: boolean): ReadonlyMap<string, Route> =>
  new Map([[MCP_PATH, MCP], ['/health', HEALTH], ['/ready', READY], ...(hasMetrics ? [['/metrics', METRICS] as const] : []), ...metadataPaths.map((path) => [path, METADATA] as const)])

/** The path of a request target in origin form (RFC 9112 §3.2.1); any other form is a path that no route has. */
export const pathOf = (target: string | undefined): string => target?.split('?', 1)[0] ?? ''
