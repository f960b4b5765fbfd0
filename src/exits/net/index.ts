/** The network exit: two factories that share every check, and the ports that a test replaces. */

export type { ConnectorOptions } from './connector.ts'
export { createConnector } from './connector.ts'
export type { EgressOptions } from './egress.ts'
export { createEgress } from './egress.ts'
export type { HttpMethod } from './exchange.ts'
export type { OperatorClient, OperatorClientOptions, OperatorRequest, OperatorResponse } from './operator-client.ts'
export { createOperatorClient } from './operator-client.ts'
export type { ListeningAddress } from './own-address.ts'
export type { Connection, Connector, Dial, Resolver } from './ports.ts'
export { systemResolver } from './resolver.ts'
export { createWebhookClient } from './webhook-client.ts'
export type { WebhookClientOptions } from './webhook-client.ts'
