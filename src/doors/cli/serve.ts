/** `serve`: the MCP server on stdio, or on HTTP. */

import { createApp } from '../../app/create-app.ts'
import { missingRoots } from '../../app/missing-roots.ts'
import { ConfigError } from '../../config/index.ts'
import { VERSION } from '../../kernel/version.ts'
import { announce } from './announce.ts'
import { load } from './load.ts'
import type { Loaded } from './load.ts'
import { lineTo } from './log-lines.ts'
import { EXIT, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

export function serve(terminal: Terminal, options: Options): Promise<number> {
  // --http is the short form of --transport http, and is checked like it.
  const loaded = load(terminal, options['http'] === true ? { ...options, transport: 'http' } : options)
  announce(terminal, loaded)
  return loaded.values.transport === 'http' ? overHttp(terminal, loaded) : overStdio(terminal, loaded)
}

async function overStdio(terminal: Terminal, loaded: Loaded): Promise<number> {
  const { values, dataDir, engineEnv } = loaded
  const { serveStdio } = await import('../stdio/serve-stdio.ts')
  const { stdin, stdout, stderr, parent, stop } = terminal
  const lines = lineTo(stderr)
  sayMissing(terminal, loaded)
  const app = createApp(values, { dataDir, engineEnv, log: lines.log })
  const door = serveStdio({ app, version: VERSION, input: stdin, output: stdout, parent })
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([door.ended, stopped])
  await door.close()
  await app.close()
  lines.flush()
  return EXIT.ok
}

/** Serves until asked to stop. `onListening` hears where. */
export async function overHttp(terminal: Terminal, loaded: Loaded, onListening?: (url: string) => void): Promise<number> {
  const { values, dataDir, engineEnv } = loaded
  const { createHttpDoor } = await import('../http/index.ts')
  const { openIdentity } = await import('../../app/identity.ts')
  const { stdout, stop } = terminal
  let addresses: () => readonly { address: string; port: number }[] = () => []
  const warn = (text: string): void => say(terminal, `arrowhead: warning: ${text}`)
  const identity = await openIdentity(values, { warn })
  const lines = lineTo(stdout)
  sayMissing(terminal, loaded)
  const app = createApp(values, { dataDir, engineEnv, log: lines.log, ownAddresses: () => addresses() })
  const close = async (): Promise<void> => {
    identity?.close()
    await app.close()
    lines.flush()
  }
  const door = createHttpDoor({ app, ...(identity && { identity }), version: VERSION, warn })
  addresses = () => door.addresses()
  const { url } = await door.listen().catch(async (error: unknown) => {
    await close()
    throw listenFault(error)
  })
  say(terminal, `arrowhead: listening on ${url}`)
  onListening?.(url)
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  say(terminal, 'arrowhead: stopping; running calls may finish')
  await door.drain()
  await close()
  return EXIT.ok
}

const sayMissing = (terminal: Terminal, { values }: Loaded): void => {
  for (const { what, next } of missingRoots(values, terminal.cwd)) say(terminal, `arrowhead: warning: ${what}; ${next}`)
}

/** What an operator can do about an address that cannot be listened on. */
function listenFault(error: unknown): unknown {
  switch ((error as { code?: unknown }).code) {
    case 'EADDRINUSE':
      return new ConfigError(['ARROWHEAD_PORT: something else listens there; choose another with --port'])
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(['ARROWHEAD_HOST: not an address of this machine'])
    case 'EACCES':
      return new ConfigError(['ARROWHEAD_PORT: this user may not listen there; choose one above 1023'])
    default:
      return error
  }
}
