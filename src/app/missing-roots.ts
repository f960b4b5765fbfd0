/** Folders that tools serve and that are not there: they are looked for again at every call, but an operator should know. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Settings } from '../config/index.ts'
import { catalog } from '../tools/catalog.ts'
import { served } from './gates.ts'

export interface MissingRoot {
  readonly what: string
  readonly next: string
}

export function missingRoots(settings: Settings, cwd: string): readonly MissingRoot[] {
  const roots = [
    { family: 'core', root: settings.jailRoot, what: 'the folder that read_file serves does not exist', next: 'create it, or set ARROWHEAD_JAIL_ROOT' },
    ...(settings.docsS3Url === undefined ? [{ family: 'docs', root: settings.docsRoot, what: 'the folder that holds the documents does not exist', next: 'create it, or set ARROWHEAD_DOCS_ROOT' }] : []),
  ]
  const families = new Set(served(catalog, settings).map(({ name }) => name))
  return roots.filter(({ family, root }) => families.has(family) && !existsSync(resolve(cwd, root))).map(({ what, next }) => ({ what, next }))
}
