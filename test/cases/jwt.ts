/**
 * Runs one line of the access-token cases: real tokens, a served key set, and a tool behind a real HTTP door that
 * must run or must not. What an under-scoped caller asks for does not exist for it here, so where a line
 * wants a 403 for a scope, the right answer is the one that an unknown name gets.
 */

import * as z from 'zod'
import { WITH_AUTH, callTool, openTestDoor } from '../../src/doors/http/door.fixture.ts'
import type { Reply, TestDoor } from '../../src/doors/http/door.fixture.ts'
import { systemClock } from '../../src/exits/clock.ts'
import { ours } from '../../src/kernel/leaf.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import type { Tool } from '../../src/kernel/tool.ts'
import { createIdentity } from '../../src/services/identity/index.ts'
import type { KeyClient } from '../../src/services/identity/index.ts'
import type { Case, Verdict } from './case.ts'
import { buildToken, keyInSet } from './jwt-token.ts'
import type { Expectations, TokenSpec } from './jwt-token.ts'

type KeySet =
  | string
  | readonly (string | Readonly<Record<string, unknown>>)[]
  | { readonly status?: number; readonly bytes?: number; readonly keys?: readonly string[] }

export interface JwtInput extends TokenSpec {
  /** The whole header value with `{token}` in it, or several; null sends none. */
  readonly authorization?: string | readonly string[] | null
  readonly headerName?: string
  readonly query?: string
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly repeatSame?: number
  readonly jwks?: KeySet
  readonly steps?: readonly { readonly repeat?: number; readonly serve?: KeySet; readonly token: 'default' | TokenSpec; readonly expect: string }[]
}

export interface JwtCase extends Case<JwtInput> {
  readonly status?: number
  /** Fetches of the key set at most. */
  readonly maxFetches?: number
}

/** What the server under test expects. */
export interface JwtRecipe extends Expectations {
  readonly jwksUri: string
}

export const JWT_RECIPE: JwtRecipe = {
  issuer: 'https://as.example', audience: 'https://mcp.example/mcp', scope: 'mcp:read', jwksUri: 'https://as.example/jwks',
}

const DEFAULT_KEYS: KeySet = ['rs1', 'es1']

interface Server {
  readonly door: TestDoor
  ran(): number
  fetches(): number
}

function countingTool(scope: string, onRun: () => void): Tool {
  return defineTool({
    name: 'probe', title: 'Probe', summary: 'Counts that it ran.', scope: scope as `${string}:${string}`, level: 'SAFE', effect: 'read',
    idempotent: true, openWorld: false, perMinute: 10_000, uses: [],
    input: z.strictObject({}), output: z.strictObject({ subject: ours(z.string()) }), examples: [],
    touches: () => [],
    run: (_input, _services, { subject }) => {
      onRun()
      return { subject }
    },
  })
}

function served(set: KeySet): { readonly status: number; readonly body: string } {
  if (typeof set === 'string') return { status: 200, body: set }
  if (!('length' in set)) {
    const body = set.bytes === undefined ? JSON.stringify({ keys: (set.keys ?? []).map(keyInSet) }) : ' '.repeat(set.bytes)
    return { status: set.status ?? 200, body }
  }
  return { status: 200, body: JSON.stringify({ keys: set.map(keyInSet) }) }
}

async function openServer(recipe: JwtRecipe, keys: () => KeySet): Promise<Server> {
  let [ran, fetches] = [0, 0]
  const client: KeyClient = async () => {
    fetches += 1
    return served(keys())
  }
  const identity = await createIdentity(
    { oauthIssuer: recipe.issuer, oauthAudience: recipe.audience, oauthJwksUri: recipe.jwksUri, oauthPublicKey: undefined },
    { client, clock: systemClock },
  )
  const door = await openTestDoor({ settings: { ...WITH_AUTH, rateLimitEnabled: false }, identity, tools: [countingTool(recipe.scope, () => void (ran += 1))] })
  return { door, ran: () => ran, fetches: () => fetches }
}

const present = (door: TestDoor, token: string, { authorization = 'Bearer {token}', headerName = 'Authorization', query, cookie, headers = {} }: JwtInput): Promise<Reply> => {
  const filled = (text: string): string => text.replaceAll('{token}', () => token)
  return door.send({
    path: query === undefined ? '/mcp' : `/mcp?${filled(query)}`,
    body: callTool('probe'),
    headers: {
      ...headers,
      ...(authorization !== null && { [headerName]: [authorization].flat().map(filled) }),
      ...(cookie !== undefined && { Cookie: filled(cookie) }),
    },
  })
}

/** Whether one reply, and what ran because of it, is what was expected. */
function isRight(reply: Reply, ran: number, expect: string, status = 401): boolean {
  if (expect === 'allow') return reply.status === 200 && ran === 1
  const unknown = reply.status === 200 && /"component\.unknown/.test(reply.text)
  return ran === 0 && (status === 403 ? unknown : reply.status === status)
}

async function runLine(line: JwtCase, recipe: JwtRecipe): Promise<Verdict> {
  const { input, expect, status, maxFetches = Number.POSITIVE_INFINITY } = line
  let keys: KeySet = input.jwks ?? DEFAULT_KEYS
  const server = await openServer(recipe, () => keys)
  const bits = /(\d+)-bit RSA/.exec(JSON.stringify(input.jwks ?? ''))?.[1]
  const steps = input.steps ?? [{ repeat: input.repeatSame ?? 1, token: { ...input, ...(bits !== undefined && { sign: `rs${bits}` }) }, expect }]
  try {
    let [last, right] = ['nothing was sent', steps.length > 0]
    for (const step of steps) {
      if ('serve' in step && step.serve !== undefined) keys = step.serve
      const same = input.repeatSame === undefined ? undefined : tokenAt(step.token, 0, recipe)
      for (let at = 0; at < (step.repeat ?? 1); at += 1) {
        const before = server.ran()
        const reply = await present(server.door, same ?? tokenAt(step.token, at, recipe), input)
        last = `${reply.status} ${reply.text.slice(0, 100)}`
        right = right && isRight(reply, server.ran() - before, step.expect, status)
      }
    }
    return { right: right && server.fetches() <= maxFetches, got: `${last}; ran ${server.ran()}, fetched ${server.fetches()}, ${server.door.rows.at(-1)?.reason ?? ''}` }
  } finally {
    await server.door.close()
  }
}

function tokenAt(token: 'default' | TokenSpec, at: number, recipe: JwtRecipe): string {
  if (token === 'default') return buildToken({}, recipe)
  const kid = token.header?.['kid']
  const numbered = typeof kid === 'string' ? { ...token, header: { ...token.header, kid: kid.replace('#', String(at)) } } : token
  return buildToken(numbered, recipe)
}

/** Runs the case; anything thrown is a wrong outcome, not an error. */
export async function runJwtCase(line: JwtCase, recipe: JwtRecipe = JWT_RECIPE): Promise<Verdict> {
  try {
    return await runLine(line, recipe)
  } catch (error) {
    return { right: false, got: `threw ${error instanceof Error ? error.message : 'something'}` }
  }
}

/** For a run over the whole file; keys are kept between lines, servers are not. */
export const jwtRunner = (_dir?: string): { readonly run: (line: JwtCase) => Promise<Verdict> } => ({ run: (line) => runJwtCase(line) })
