/**
 * `quickstart`: the whole thing on loopback in one command. Auth is on: a key and a token are made on this
 * machine, kept in private files of the data directory, and checked by the same verifier as any other token.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { mintLocalToken } from '../../app/identity.ts'
import { writeSamples } from '../../app/samples.ts'
import { ConfigError } from '../../config/index.ts'
import { quoted } from './given-flags.ts'
import { load } from './load.ts'
import { overHttp } from './serve.ts'
import { say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

const TOKEN_DAYS = 30
const DAY_SECONDS = 86_400

export async function quickstart(terminal: Terminal, options: Options): Promise<number> {
  const first = load(terminal, { ...options, transport: 'http', dangerouslyAllowInsecureHttp: true })
  const { dataDir, values } = first
  const publicUrl = `http://127.0.0.1:${values.port}`
  if (options['host'] !== undefined) throw new ConfigError(['--host: quickstart serves this machine alone; use serve --http, with an identity provider, for more'])
  const { token, publicKeyPem, tokenFile } = await mintLocalToken({ dataDir: resolve(terminal.cwd, dataDir), issuer: publicUrl, audience: publicUrl, ttlSeconds: TOKEN_DAYS * DAY_SECONDS }).catch(dataDirFault)
  const isThere = (root: string): boolean => existsSync(resolve(terminal.cwd, root))
  const loaded = load(terminal, {
    ...options,
    transport: 'http', host: '127.0.0.1', authEnabled: true, oauthProvider: 'jwt',
    serverPublicUrl: publicUrl, oauthIssuer: publicUrl, oauthAudience: publicUrl, oauthPublicKey: publicKeyPem,
    ...(!isThere(values.jailRoot) && { jailRoot: writeSamples(dataDir, 'sandbox') }),
    ...(!isThere(values.docsRoot) && { docsRoot: writeSamples(dataDir, 'documents') }),
  })
  return overHttp(terminal, loaded, (url) => say(terminal, welcome(url, tokenFile, token)))
}

/** What an operator can do about a data directory that cannot hold a token. */
function dataDirFault(error: unknown): never {
  const known = ['EEXIST', 'ENOTDIR', 'EACCES', 'EROFS', 'ENOENT', 'EPERM'].includes(String((error as { code?: unknown }).code))
  throw known ? new ConfigError(['ARROWHEAD_DATA_DIR: a token cannot be kept there; name a folder that this user can write']) : error
}

/** A client entry that works as it is printed. It goes to the terminal alone, never to the log. */
const welcome = (url: string, tokenFile: string, token: string): string => `
The token is in ${tokenFile} and valid for ${TOKEN_DAYS} days. A client entry that is ready to use:

${JSON.stringify({ mcpServers: { arrowhead: { type: 'http', url, headers: { Authorization: `Bearer ${token}` } } } }, null, 2)}

Claude Code:  claude mcp add --transport http arrowhead ${url} --header "Authorization: Bearer $(cat ${quoted(tokenFile)})"
Stop with Ctrl-C.`
