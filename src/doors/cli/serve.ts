/** `serve`: the MCP server on stdio, or on HTTP. */

import { createApp } from '../../app/create-app.ts'
import { announceRisks } from '../../config/index.ts'
import { VERSION } from '../../kernel/version.ts'
import { load } from './load.ts'
import type { Loaded } from './load.ts'
import { lineTo } from './log-lines.ts'
import { EXIT, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

export function serve(terminal: Terminal, options: Options): Promise<number> {
  // --http is the short form of --transport http, and is checked like it.
  const loaded = load(terminal, options['http'] === true ? { ...options, transport: 'http' } : options)
  for (const risk of announceRisks(loaded)) say(terminal, `arrowhead: warning: ${risk}`)
  return loaded.values.transport === 'http' ? overHttp(terminal, loaded) : overStdio(terminal, loaded)
}

async function overStdio(terminal: Terminal, { values, dataDir }: Loaded): Promise<number> {
  const { serveStdio } = await import('../stdio/serve-stdio.ts')
  const { stdin, stdout, stderr, parent, stop } = terminal
  const app = createApp(values, { dataDir, log: lineTo(stderr) })
  const door = serveStdio({ app, version: VERSION, input: stdin, output: stdout, parent })
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([door.ended, stopped])
  await door.close()
  await app.close()
  return EXIT.ok
}

/** Serves until asked to stop. `onListening` hears where. */
export async function overHttp(terminal: Terminal, loaded: Loaded, onListening?: (url: string) => void): Promise<number> {
  const { values, dataDir } = loaded
  const { createHttpDoor } = await import('../http/index.ts')
  const { openIdentity } = await import('../../app/identity.ts')
  const { stdout, stop } = terminal
  let addresses: () => readonly { address: string; port: number }[] = () => []
  const app = createApp(values, { dataDir, log: lineTo(stdout), ownAddresses: () => addresses() })
  const identity = await openIdentity(values)
  const door = createHttpDoor({ app, ...(identity && { identity }), version: VERSION, warn: (text) => say(terminal, `arrowhead: warning: ${text}`) })
  addresses = () => door.addresses()
  const { url } = await door.listen()
  say(terminal, `arrowhead: listening on ${url}`)
  onListening?.(url)
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  say(terminal, 'arrowhead: stopping; running calls may finish')
  await door.drain()
  await app.close()
  return EXIT.ok
}
