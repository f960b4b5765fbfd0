/** Declarations as universal-ctags sees them, for the languages without a parser of their own here. */

import { execFileSync } from 'node:child_process'
import type { Told } from './told.ts'

export interface CtagsLanguage {
  /** Its name there, and the kinds that are asked for. */
  readonly name: string
  readonly kinds: string
}

interface Tag {
  readonly _type: string
  readonly path: string
  readonly name: string
  readonly kind: string
  readonly line: number
  readonly scope?: string
  readonly scopeKind?: string
}

/** Variables of functions, and what it calls methods in lambdas of Kotlin, their parameters, are no declarations of a file. */
const isLocal = ({ kind, scope = '', scopeKind = '' }: Tag): boolean =>
  scope.endsWith('<lambda>') || /^(?:constant|variable)$/.test(kind) && /^(?:function|method|func)$/.test(scopeKind)

export function tellCtags(files: readonly string[], { name, kinds }: CtagsLanguage): ReadonlyMap<string, readonly Told[]> {
  const options = ['--options=NONE', '--output-format=json', '--fields=NFnKs', `--languages=${name}`, `--language-force=${name}`, `--kinds-${name}=${kinds}`, '-L', '-', '-f', '-']
  const out = execFileSync('ctags', options, { input: files.join('\n'), encoding: 'utf8', maxBuffer: 1e9, stdio: ['pipe', 'pipe', 'ignore'] })
  const found = new Map<string, Told[]>(files.map((file) => [file, []]))
  for (const line of out.split('\n')) {
    if (line === '') continue
    const tag = JSON.parse(line) as Tag
    if (tag._type === 'tag' && !isLocal(tag)) found.get(tag.path)?.push({ name: tag.name, kind: tag.kind, line: tag.line })
  }
  return found
}
