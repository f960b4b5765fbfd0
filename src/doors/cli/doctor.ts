/** `doctor`: can this machine, with these settings, serve? Each line says what to do where it cannot. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { diagnose } from '../../app/diagnose.ts'
import { ConfigError } from '../../config/index.ts'
import { load } from './load.ts'
import { EXIT, print } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const SIGN = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const
/** More than any token that is accepted. */
const MAX_TOKEN_CHARS = 100_000

export async function doctor(terminal: Terminal, options: Readonly<Record<string, unknown>>): Promise<number> {
  const { values, dataDir, engineEnv } = load(terminal, options)
  const findings = await diagnose(values, { dataDir, cwd: terminal.cwd, engineEnv, token: await tokenOf(terminal, options['tokenFile']) })
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
    return readFileSync(resolve(terminal.cwd, file), 'utf8').slice(0, MAX_TOKEN_CHARS).trim()
  } catch {
    throw new ConfigError(['--token-file: the file cannot be read'])
  }
}

async function textOf({ stdin }: Terminal): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > MAX_TOKEN_CHARS) break
  }
  return text
}
