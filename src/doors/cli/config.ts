/** `config explain`: every setting with its value, where the value came from, and its sentence. */

import { explainSettings } from '../../config/index.ts'
import { load } from './load.ts'
import { EXIT, print } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export async function explain(terminal: Terminal, options: Readonly<Record<string, unknown>>): Promise<number> {
  const rows = explainSettings(load(terminal, options))
  if (options['json'] === true) print(terminal, JSON.stringify(rows, null, 2))
  else for (const { name, value, source, sentence } of rows) print(terminal, `${name}=${value}  (${source})\n    ${sentence}`)
  return EXIT.ok
}
