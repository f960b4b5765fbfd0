/** `mcp-serve`: one folder, read-only, to whichever program started this one. Nothing of the folder decides how it is served. */

import { fstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { createWorkspaceApp, findGround, loadOrders, loadRules, loadWorkspaceAgent, workspaceSettings } from '../../app/workspace-start.ts'
import { ConfigError, announceRisks } from '../../config/index.ts'
import type { LoadedSettings } from '../../config/index.ts'
import { VERSION } from '../../kernel/version.ts'
import { lineTo } from './log-lines.ts'
import { EXIT, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'
import { workspaceFlags } from './workspace-flags.ts'
import { settingsBeside } from './workspace-settings.ts'

type Options = Readonly<Record<string, unknown>>

/** Serves until the client leaves. @throws ConfigError with what is wrong. */
export async function mcpServe(terminal: Terminal, options: Options): Promise<number> {
  const flags = workspaceFlags(options)
  if (![terminal.stdin, terminal.stdout].every(isPipe)) {
    say(terminal, 'arrowhead: mcp-serve speaks to the program that starts it, so both its input and its output must be pipes; put it into the configuration of an MCP client')
    return EXIT.usage
  }
  const place = resolve(terminal.cwd, flags.cwd ?? '.')
  const { loaded, dataDir, home } = settingsBeside(place, terminal, options)
  for (const risk of announceRisks(loaded)) say(terminal, `arrowhead: warning: ${risk}`)
  const found = findGround(place, [dataDir, home])
  const [rules, orders] = [await loadRules(found, home), loadOrders(home)]
  const { mode, maxTurns, maxCost, dryRun } = flags
  if (maxCost !== undefined && orders.prices === undefined) throw new ConfigError(['--max-cost: needs "prices" in the user’s config.json, or nothing could be counted'])
  for (const folder of found.carvedOut) say(terminal, `arrowhead: ${folder} is this program’s own and no part of the workspace`)
  if (orders.taint === 'confirm') say(terminal, 'arrowhead: taint: nobody can be asked here, so confirm denies')
  const openAgent = mode === undefined ? undefined : await loadWorkspaceAgent({ mode, maxTurns, maxCost, dryRun })
  return serve(terminal, { settings: workspaceSettings(loaded), dataDir, cwd: found.cwd, ground: found.ground, rules, orders, ...(openAgent && { openAgent }) })
}

type AppParts = Omit<Parameters<typeof createWorkspaceApp>[1], 'log'> & { readonly settings: LoadedSettings['values'] }

async function serve({ stdin, stdout, stderr, parent, stop }: Terminal, { settings, ...parts }: AppParts): Promise<number> {
  const { serveStdio } = await import('../stdio/serve-stdio.ts')
  const lines = lineTo(stderr)
  const app = createWorkspaceApp(settings, { ...parts, log: lines.log })
  const door = serveStdio({ app, version: VERSION, input: stdin, output: stdout, parent })
  const stopped = new Promise<void>((done) => stop.addEventListener('abort', () => done(), { once: true }))
  await Promise.race([door.ended, stopped])
  await door.close()
  await app.close()
  lines.flush()
  return EXIT.ok
}

/** A stream without a descriptor is a pipe within this process. */
function isPipe(stream: Terminal['stdin'] | Terminal['stdout']): boolean {
  const { fd } = stream as { fd?: unknown }
  if (typeof fd !== 'number') return true
  const stats = fstatSync(fd)
  return stats.isFIFO() || stats.isSocket()
}
