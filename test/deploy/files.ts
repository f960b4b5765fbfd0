/** The deployment files as the programs that read them see them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml, parseAllDocuments } from 'yaml'
import { ROOT } from '../process/built-binary.ts'

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** One YAML document; a key that is there twice is an error. */
export const yamlOf = (path: string): Readonly<Record<string, unknown>> => parseYaml(textOf(path), { uniqueKeys: true, merge: true }) as Readonly<Record<string, unknown>>

export const yamlDocumentsOf = (path: string): readonly Readonly<Record<string, unknown>>[] =>
  parseAllDocuments(textOf(path), { uniqueKeys: true }).map((document) => {
    if ('errors' in document && document.errors.length > 0) throw document.errors[0] ?? new Error(path)
    return document.toJS() as Readonly<Record<string, unknown>>
  })

export const tomlOf = (path: string): Readonly<Record<string, unknown>> => parseToml(textOf(path))

/** Every value under a key, at any depth. */
export function* valuesUnder(value: unknown, key: string): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, held] of Object.entries(value)) {
    if (name === key) yield held
    yield* valuesUnder(held, key)
  }
}
