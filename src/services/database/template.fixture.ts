/** The prepared database of the tests: made once on this machine, and shared by all of them. */

import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BOOTSTRAP } from './bootstrap.ts'
import { CONFIGURATION } from './engine.ts'
import { makeTemplate } from './template.ts'

let made: Promise<string> | undefined

export const testTemplate = (): Promise<string> => (made ??= make())

async function make(): Promise<string> {
  const name = createHash('sha256').update(BOOTSTRAP + CONFIGURATION.join()).digest('hex').slice(0, 16)
  const file = join(tmpdir(), `arrowhead-template-${name}-${process.getuid?.() ?? 0}.tgz`)
  if (existsSync(file)) return file
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-template-'))
  try {
    await makeTemplate(folder, `${folder}/made.tgz`)
    renameSync(`${folder}/made.tgz`, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return file
}
