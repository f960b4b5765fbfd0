/**
 * Every reason this server says no, in one table. A code is public API: documentation, tests and
 * clients rely on it. The texts are fixed, so a refusal can never carry what the caller sent.
 */

interface Row {
  /** HTTP status where the refusal is the answer to a whole request (RFC 9110 §15). */
  readonly http: number
  /** Fixed text for the caller. */
  readonly says: string
}

export const REFUSALS = {
  'access.denied': { http: 403, says: 'the caller may not do this to that resource' },
  'agent.busy': { http: 409, says: 'another run is under way, and runs do not wait for one another' },
  'answer.too-large': { http: 502, says: 'the answer is larger than the limit' },
  'audit.unavailable': { http: 503, says: 'the call could not be recorded, so it was not made' },
  'auth.invalid': { http: 401, says: 'the access token was not accepted' },
  'auth.missing': { http: 401, says: 'an access token is required' },
  'auth.scope': { http: 403, says: 'the access token lacks a scope that the call needs' },
  'budget.spent': { http: 429, says: 'the budget of this caller is used up' },
  'call.cancelled': { http: 499, says: 'the caller cancelled the call' },
  'call.timeout': { http: 504, says: 'the call took too long and was stopped' },
  'call.vetoed': { http: 403, says: 'a program of the operator’s own vetoed the call' },
  'client.capability': { http: 400, says: 'the call asks something that this client did not say it can answer' },
  'command.denied': { http: 403, says: 'the command is not one that may be run' },
  'command.off': { http: 403, says: 'running commands is switched off here' },
  'component.unknown': { http: 404, says: 'no such component' },
  'concurrency.full': { http: 503, says: 'too many calls are running' },
  'consent.changed': { http: 409, says: 'what the person was shown has changed since' },
  'consent.declined': { http: 403, says: 'a person declined the call' },
  'consent.ticket': { http: 400, says: 'the answer does not belong to a question that is open' },
  'consent.unavailable': { http: 403, says: 'the call needs a person to agree, and nobody can be asked here' },
  'content.encoding': { http: 422, says: 'the content is not UTF-8 text' },
  'content.json': { http: 422, says: 'the content is not JSON that has one meaning' },
  'content.markdown': { http: 422, says: 'the Markdown cannot be rewritten safely' },
  'content.kind': { http: 415, says: 'only JSON, Markdown and plain text are read' },
  'content.too-deep': { http: 422, says: 'the content is nested too deeply' },
  'content.too-large': { http: 413, says: 'the content is larger than the limit' },
  'corpus.full': { http: 507, says: 'the corpus has no room for it' },
  'corpus.unavailable': { http: 503, says: 'the document store cannot be reached' },
  'diff.invalid': { http: 400, says: 'the text is not a unified diff' },
  'diff.too-large': { http: 413, says: 'the diff is larger than the limit' },
  'data.collection': { http: 404, says: 'no such collection' },
  'data.dimensions': { http: 400, says: 'the vector does not have the dimensions of the collection' },
  'data.limit': { http: 400, says: 'more is asked for than one call may have' },
  'data.reindex': { http: 409, says: 'the collection was filled with another embedding model' },
  'data.unconfigured': { http: 503, says: 'this part of the data service is not configured' },
  'database.timeout': { http: 504, says: 'the database took too long and was stopped' },
  'database.unavailable': { http: 503, says: 'the database cannot be reached' },
  'disk.full': { http: 507, says: 'there is no room left on the disk of the server' },
  'edit.mismatch': { http: 409, says: 'the text to be replaced does not stand there exactly once' },
  'egress.address': { http: 403, says: 'the address is not publicly routable' },
  'egress.encoding': { http: 502, says: 'the response uses an encoding that is not read' },
  'egress.host': { http: 403, says: 'the host is not on the egress list' },
  'egress.port': { http: 403, says: 'the port is not on the egress list' },
  'egress.redirects': { http: 502, says: 'the server redirected too often' },
  'egress.scheme': { http: 400, says: 'only http and https URLs are fetched' },
  'egress.status': { http: 502, says: 'the server did not answer with a document' },
  'egress.too-large': { http: 502, says: 'the response is larger than the limit' },
  'egress.unreachable': { http: 502, says: 'the server could not be reached' },
  'egress.url': { http: 400, says: 'the URL is not one that can be fetched' },
  'exec.no-command': { http: 501, says: 'no test command is configured' },
  'exec.unavailable': { http: 503, says: 'code cannot be run here' },
  'embedding.failed': { http: 502, says: 'the embedding provider did not give the vectors that were asked for' },
  'expression.range': { http: 400, says: 'the result is not a finite number' },
  'expression.size': { http: 400, says: 'the expression is too large' },
  'expression.syntax': { http: 400, says: 'the expression is not plain arithmetic' },
  'file.changed': { http: 409, says: 'something else stands at that path by now' },
  'file.credential': { http: 403, says: 'files that hold credentials are not read' },
  'file.too-large': { http: 413, says: 'the file is larger than the limit' },
  'file.exists': { http: 409, says: 'something already exists at that path' },
  'file.unavailable': { http: 404, says: 'there is no readable file at that path' },
  'git.unavailable': { http: 404, says: 'there is no repository there that can be read' },
  'http.busy': { http: 503, says: 'the server is at its request limit' },
  'http.draining': { http: 503, says: 'the server is shutting down' },
  'http.host': { http: 403, says: 'the Host header is not accepted' },
  'http.media-type': { http: 415, says: 'the body must be application/json' },
  'http.method': { http: 405, says: 'the method is not served here' },
  'http.not-acceptable': { http: 406, says: 'the client accepts neither JSON nor an event stream' },
  'http.not-found': { http: 404, says: 'nothing is served at this path' },
  'http.origin': { http: 403, says: 'the Origin header is not accepted' },
  'http.session': { http: 404, says: 'no such session' },
  'http.slow': { http: 408, says: 'the request took too long to arrive' },
  'http.too-large': { http: 413, says: 'the body is larger than the limit' },
  'input.invalid': { http: 400, says: 'the input does not match the schema' },
  'level.denied': { http: 403, says: 'this operation is denied by policy' },
  'level.restricted': { http: 403, says: 'this operation is restricted and was not opted into' },
  'message.batch': { http: 400, says: 'JSON-RPC batches are not accepted' },
  'message.duplicate-key': { http: 400, says: 'an object names the same key twice' },
  'message.invalid': { http: 400, says: 'not a valid JSON-RPC message' },
  'message.method': { http: 404, says: 'no such method' },
  'message.not-json': { http: 400, says: 'the message is not JSON' },
  'message.too-large': { http: 413, says: 'the message is larger than the limit' },
  'message.unexpected': { http: 400, says: 'a response to a question that nobody asked' },
  'memory.duplicate': { http: 409, says: 'another memory of this namespace has the same content' },
  'memory.full': { http: 507, says: 'the caller may keep no more' },
  'memory.missing': { http: 404, says: 'nothing is kept under that name' },
  'notify.destination': { http: 403, says: 'the operator listed no such destination' },
  'model.failed': { http: 502, says: 'the language model gave no usable answer' },
  'model.none': { http: 503, says: 'no language model is configured' },
  'model.prompt': { http: 413, says: 'the prompt would be longer than the limit' },
  'overlay.full': { http: 507, says: 'the dry run has no room for more changes' },
  'path.denied': { http: 403, says: 'the path policy does not allow that place' },
  'path.invalid': { http: 400, says: 'the path must be relative and stay inside the root' },
  'path.outside': { http: 403, says: 'the path leads outside of the allowed folders' },
  'path.protected': { http: 403, says: 'that place is protected from changes' },
  'quota.spent': { http: 429, says: 'the rate limit of this caller is used up' },
  'resource.missing': { http: 404, says: 'no such resource' },
  'search.pattern': { http: 400, says: 'the query is not one that can be searched for' },
  'server.closed': { http: 503, says: 'the server has been closed' },
  'session.full': { http: 507, says: 'the conversation has no room for more' },
  'session.missing': { http: 404, says: 'no such session' },
  'task.full': { http: 429, says: 'the caller has as many tasks as it may' },
  'task.missing': { http: 404, says: 'no such task' },
  'task.required': { http: 400, says: 'the call goes on as a task, and this client did not say that it polls tasks' },
  'sql.cost': { http: 422, says: 'the query took more time or memory than it may' },
  'sql.failed': { http: 422, says: 'the database could not run the query' },
  'sql.function': { http: 403, says: 'the query calls a function that is not on the list' },
  'sql.not-read-only': { http: 403, says: 'only a single read-only query may run' },
  'sql.parameter': { http: 400, says: 'the parameters do not fit the query' },
  'sql.statements': { http: 403, says: 'more or less than one statement was sent' },
  'sql.syntax': { http: 400, says: 'the query is not valid in the dialect of the database' },
  'sql.too-complex': { http: 400, says: 'the query is too large or too deep' },
  'sql.unavailable': { http: 503, says: 'the database cannot be reached' },
  'sql.unconfigured': { http: 503, says: 'no database is configured for queries' },
  'text.planted': { http: 403, says: 'a token that was planted to be missed is in the text' },
  'text.untrusted': { http: 403, says: 'the call would put text from outside in a place of its own choosing' },
  'tool.failed': { http: 502, says: 'the tool could not do what was asked' },
  'undo.missing': { http: 404, says: 'there is no such change to take back' },
  'workingset.full': { http: 409, says: 'no more working sets or items can be kept' },
  'workingset.missing': { http: 404, says: 'no such working set' },
} as const satisfies Record<`${string}.${string}`, Row>

export type RefusalCode = keyof typeof REFUSALS

/** A deliberate no, and the only error whose text may reach a caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  /** What the caller can do about it. Written by us, at most a sentence; never echoes input. */
  readonly hint: string | undefined
  /** For the audit only: a closed term that says more than the caller may know, such as an address class. */
  readonly reason: string | undefined

  constructor(code: RefusalCode, hint?: string, reason?: string) {
    super(REFUSALS[code].says)
    this.code = code
    this.hint = hint
    this.reason = reason
  }
}

/** A guard returns one; a tool or an exit throws one. */
export const refusal = (code: RefusalCode, hint?: string, reason?: string): Refusal => new Refusal(code, hint, reason)

/** `code: says; hint`, the one text that every door shows. */
export const refusalText = ({ code, message, hint }: Refusal): string =>
  hint === undefined ? `${code}: ${message}` : `${code}: ${message}; ${hint}`
