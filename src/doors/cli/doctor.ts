/** `doctor`: can this machine, with these settings, serve? Each line says what to do where it cannot. */

import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { diagnose } from '../../app/diagnose.ts'
import { ConfigError } from '../../config/index.ts'
import { shown } from '../../kernel/terminal-text.ts'
import { load, loadForAssistant } from './load.ts'
import { EXIT, print } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const SIGN = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const
/** More than any token that is accepted. */
const MAX_TOKEN_BYTES = 100_000

export async function doctor(terminal: Terminal, options: Readonly<Record<string, unknown>>): Promise<number> {
  const { values, sources, dataDir, engineEnv } = load(terminal, options)
  const token = await tokenOf(terminal, options['tokenFile'])
  if (terminal.stop.aborted) return EXIT.refused
  const place = { dataDir, cwd: terminal.cwd, engineEnv, token, origins: sources, assistant: () => loadForAssistant(terminal, options).values }
  const findings = (await diagnose(values, place)).map(({ what, next, ...rest }) => ({ ...rest, what: shown(what), ...(next !== undefined && { next: shown(next) }) }))
  const isWell = !findings.some(({ state }) => state === 'fail')
  if (options['json'] === true) print(terminal, JSON.stringify({ ok: isWell, checks: findings }, null, 2))
  else for (const { state, what, next } of findings) print(terminal, `${SIGN[state]}  ${what}${next === undefined ? '' : `\n      ${next}`}`)
  return isWell ? EXIT.ok : EXIT.refused
}

/** From a file, or from standard input as `-`: a token on the command line would be for everybody to read. */
async function tokenOf(terminal: Terminal, file: unknown): Promise<string | undefined> {
  if (typeof file !== 'string') return undefined
  if (file === '-') return (await textOf(terminal)).trim()
  try {
    return (await beginningOf(resolve(terminal.cwd, file))).trim()
  } catch {
    throw new ConfigError(['--token-file: the file cannot be read'])
  }
}

/** A file may be a device that never ends. */
async function beginningOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const buffer = Buffer.alloc(MAX_TOKEN_BYTES)
    let length = 0
    for (let bytesRead = 1; bytesRead > 0 && length < MAX_TOKEN_BYTES; length += bytesRead) {
      ({ bytesRead } = await handle.read(buffer, length, MAX_TOKEN_BYTES - length))
    }
    return buffer.toString('utf8', 0, length)
  } finally {
    await handle.close()
  }
}

/** What was read so far, where the process is asked to stop. */
async function textOf({ stdin, stop }: Terminal): Promise<string> {
  let text = ''
  try {
    for await (const chunk of addAbortSignal(stop, stdin)) {
      text += String(chunk)
      if (text.length > MAX_TOKEN_BYTES) break
    }
  } catch (error) {
    if (!stop.aborted) throw error
  }
  return text
}
