/** `doctor`: can this machine, with these settings, serve? Each line says what to do where it cannot. */

import { diagnose } from '../../app/diagnose.ts'
import { load } from './load.ts'
import { EXIT, print } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const SIGN = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

export async function doctor(terminal: Terminal, options: Readonly<Record<string, unknown>>): Promise<number> {
  const { values, dataDir } = load(terminal, options)
  const findings = await diagnose(values, dataDir, terminal.cwd)
  for (const { state, what, next } of findings) print(terminal, `${SIGN[state]}  ${what}${next === undefined ? '' : `\n      ${next}`}`)
  return findings.some(({ state }) => state === 'fail') ? EXIT.refused : EXIT.ok
}
