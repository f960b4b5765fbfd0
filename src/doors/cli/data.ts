/** `data init`: the schema of collections, applied or printed. */

import { initData, placeOfData, vectorSchemaSql } from '../../app/data-schema.ts'
import { Refusal, refusalText } from '../../kernel/refusal.ts'
import { load } from './load.ts'
import { openProgress, withProgress } from './progress.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export async function dataInit(terminal: Terminal, options: Readonly<Record<string, unknown>>): Promise<number> {
  const { values, dataDir } = load(terminal, options)
  if (options['sql'] === true) {
    print(terminal, vectorSchemaSql(values).trimEnd())
    return EXIT.ok
  }
  try {
    const isJson = options['json'] === true
    const done = await withProgress(openProgress(terminal, `preparing ${placeOfData(values)}`, { json: isJson }), (onStep) => initData(values, { folder: dataDir, rebuild: options['rebuild'] === true, onStep }))
    print(terminal, isJson ? JSON.stringify({ place: placeOfData(values), done }) : [`${placeOfData(values)} is ready`, ...done.map((line) => `  ${line}`)].join('\n'))
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The operator's own database may be quoted to the operator.
    say(terminal, `arrowhead: ${error instanceof Refusal ? refusalText(error) : error.message}`)
    return EXIT.refused
  }
}
