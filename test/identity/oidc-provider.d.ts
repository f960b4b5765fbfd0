/** The part of oidc-provider that the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  // biome-ignore lint/style/noDefaultExport: that is how the package exports it
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  }

  /** OAuth errors that a hook may answer with; RFC 8707 §2 for the one here. */
  export const errors: { readonly InvalidTarget: new () => Error }
}
