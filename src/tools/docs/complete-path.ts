/** Completions of document paths: only what the caller could read, and no more than a listing may look at. */

import type { Complete } from '../../kernel/resource.ts'
import { allowed, canonical } from './document.ts'

/** One more than is shown, so that it can be said that there are more. */
const ENOUGH = 101

export const completePath: Complete<'corpus'> = async (typed, { corpus }, context) => {
  const paths: string[] = []
  for await (const { path } of allowed(corpus, canonical(typed), context)) {
    paths.push(path)
    if (paths.length >= ENOUGH) break
  }
  return paths
}

/** Folders of readable documents, each with its slash. */
export const completePrefix: Complete<'corpus'> = async (typed, { corpus }, context) => {
  const folders = new Set<string>()
  const from = canonical(typed)
  for await (const { path } of allowed(corpus, from, context)) {
    for (let slash = path.indexOf('/', from.length); slash >= 0; slash = path.indexOf('/', slash + 1)) folders.add(path.slice(0, slash + 1))
    if (folders.size >= ENOUGH) break
  }
  return [...folders].sort()
}
