/** `api`: the assistant's HTTP API on loopback, until asked to stop. */

import { apiTokenOf } from '../../app/api-token.ts'
import { openAssistant } from '../../app/assistant.ts'
import { auditReader } from '../../app/audit-reader.ts'
import { createApp } from '../../app/create-app.ts'
import { openKept } from '../../app/kept-sessions.ts'
import { ConfigError } from '../../config/index.ts'
import { VERSION } from '../../kernel/version.ts'
import { announce } from './announce.ts'
import { appOptions } from './assistant-desk.ts'
import { loadForAssistant } from './load.ts'
import { lineTo } from './log-lines.ts'
import { EXIT, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export async function api(terminal: Terminal, options: Readonly<Record<string, unknown>>): Promise<number> {
  const loaded = loadForAssistant(terminal, options)
  const { values, dataDir } = loaded
  announce(terminal, loaded)
  const { token, file } = apiTokenOf(values, dataDir)
  const { createApiDoor } = await import('../api/index.ts')
  const lines = lineTo(terminal.stdout)
  const app = createApp(values, { ...appOptions(terminal, loaded), log: lines.log })
  const kept = openKept(app, dataDir, terminal.cwd)
  const reader = auditReader(values, dataDir)
  const door = createApiDoor({ app, token, version: VERSION, assistant: openAssistant(app, { kept }), logs: (limit) => reader.newest(limit).map(({ row }) => row) })
  const close = async (): Promise<void> => {
    await app.close()
    kept.close()
    lines.flush()
  }
  const { url } = await door.listen(values.apiPort).catch(async (error: unknown) => {
    await close()
    throw (error as { code?: unknown }).code === 'EADDRINUSE' ? new ConfigError(['ARROWHEAD_API_PORT: something else listens there; choose another with --api-port']) : error
  })
  say(terminal, `arrowhead: the assistant listens on ${url}`)
  if (file !== undefined) say(terminal, `arrowhead: the token is in ${file}`)
  await new Promise<void>((resolve) => {
    if (terminal.stop.aborted) resolve()
    terminal.stop.addEventListener('abort', () => resolve(), { once: true })
  })
  await door.close()
  await close()
  return EXIT.ok
}
