/** Every fenced block of the README and the documents, and what is done with it. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../process/built-binary.ts'

export interface Fence {
  readonly file: string
  readonly line: number
  readonly language: string
  readonly text: string
}

const OUTSIDE = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
/** Made from the code, and compared with it by `generate:check`. */
const MADE = /^docs\/reference\/|^docs\/explain\/(?:guards|runners|threat-model)\.md$/

/** Every page that a person wrote. */
export const documents = (): readonly string[] =>
  [...OUTSIDE, ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`)].filter((file) => file.endsWith('.md') && !MADE.test(file))

export const fences = (): readonly Fence[] => documents().flatMap((file) => fencesOf(file, readFileSync(join(ROOT, file), 'utf8')))

function fencesOf(file: string, text: string): readonly Fence[] {
  const lines = text.split('\n')
  const found: Fence[] = []
  let start: number | undefined
  for (const [index, line] of lines.entries()) {
    if (!line.trimStart().startsWith('```')) continue
    if (start === undefined) start = index
    else {
      found.push({ file, line: start + 1, language: (lines[start] ?? '').trim().slice(3), text: lines.slice(start + 1, index).join('\n') })
      start = undefined
    }
  }
  if (start !== undefined) throw new Error(`${file}:${start + 1}: the fence is not closed`)
  return found
}

/** The commands of a shell block: continuations and quoted line breaks joined, comments taken off. */
export function commandsOf({ text }: Fence): readonly string[] {
  const commands: string[] = []
  let open = ''
  for (const line of text.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`
    if (line.endsWith('\\') || ((open.match(/(?<!\\)'/g) ?? []).length % 2 === 1)) continue
    const command = open.replaceAll('\\\n', ' ').replace(/\s{2,}#.*$|^#.*$/, '').trim()
    if (command !== '') commands.push(command)
    open = ''
  }
  return commands
}
