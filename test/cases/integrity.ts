/** Runs one integrity case: what a person approved against what is offered now, by the published digests. */

import { readObject } from '../../src/doors/mcp/message.ts'
import { compareSurfaces, definitionDigest } from '../../src/index.ts'
import type { Case, Verdict } from './case.ts'

type Definition = Readonly<Record<string, unknown>>
type OneOrMany = Definition | readonly Definition[]

interface IntegrityInput {
  readonly approved?: OneOrMany
  readonly now?: OneOrMany | { readonly pages: readonly (readonly Definition[])[] }
  readonly approvedText?: string
  readonly nowText?: string
  readonly approvedServer?: Definition
  readonly nowServer?: Definition
  readonly reapprovedByUser?: boolean
}

export type IntegrityCase = Case<IntegrityInput>

export async function runIntegrityCase({ input, expect }: IntegrityCase): Promise<Verdict> {
  const got = isBlocked(input) ? 'refuse' : 'allow'
  return { right: got === expect, got }
}

function isBlocked(input: IntegrityInput): boolean {
  if (input.reapprovedByUser === true) return false
  if (input.approvedServer || input.nowServer) return definitionDigest(input.approvedServer) !== definitionDigest(input.nowServer)
  const approved = input.approvedText === undefined ? listOf(input.approved) : read(input.approvedText)
  const offered = input.nowText === undefined ? listOf(input.now) : read(input.nowText)
  if (approved === undefined || offered === undefined) return true
  const { changed, added } = compareSurfaces(approved, offered)
  return changed.length + added.length > 0
}

/** Read as a door reads: what is not JSON, or names a key twice, is no definition that anyone could approve. */
function read(text: string): readonly Definition[] | undefined {
  const message = readObject(`{"definitions":${text}}`)
  return 'value' in message ? listOf(message.value['definitions']) : undefined
}

/** One definition, a list, or a list over several pages. */
function listOf(given: unknown): readonly Definition[] {
  if (Array.isArray(given)) return given.flatMap(listOf)
  if (typeof given === 'object' && given !== null && 'pages' in given) return listOf(given.pages)
  return given === undefined ? [] : [given as Definition]
}
