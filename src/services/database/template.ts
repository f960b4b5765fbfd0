/** Prepares a database directory once, so that a first start unpacks it instead of making it. */

import { createEngine } from './engine.ts'
import { jobOf } from './job.ts'

/** @param folder an empty folder to work in. @param file where the compressed tar goes. */
export async function makeTemplate(folder: string, file: string): Promise<void> {
  const engine = createEngine({ folder })
  const outcome = await engine.run(jobOf([{ sql: 'select 1' }], { role: 'owner', timeoutMs: 120_000 }))
  if (outcome.is !== 'ok') throw new Error(`the template cannot be made: ${'says' in outcome ? outcome.says : outcome.is}`)
  await engine.dump(file)
}
