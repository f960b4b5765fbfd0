/** Runs one Markdown case: sanitises it as a document, and judges what a renderer makes of the result. */

import { Refusal } from '../../src/kernel/refusal.ts'
import { createSanitiser } from '../../src/services/content/index.ts'
import type { Case, Verdict } from './case.ts'
import { expand } from './expand.ts'
import { viewMarkdown } from './markdown-view.ts'
import type { MarkdownView } from './markdown-view.ts'

export interface MarkdownInput {
  readonly md?: string
  readonly gen?: object
  readonly genSeq?: { readonly char: string; readonly from: number; readonly to: number; readonly sep: string }
  readonly parts?: readonly string[]
  readonly policy?: { readonly imageHosts?: readonly string[] }
}

export interface MarkdownCase extends Case<MarkdownInput> {
  /** `html`, `img`, `scheme:x`, `text:x`. */
  readonly forbid?: readonly string[]
  readonly keep?: readonly string[]
  readonly keepImg?: boolean
  readonly budgetMs?: number
}

const isPresent = (what: string, output: string, view: MarkdownView): boolean => {
  const [kind, value = ''] = [what.split(':', 1)[0], what.slice(what.indexOf(':') + 1)]
  if (kind === 'html') return view.hasHtml
  if (kind === 'img') return view.images.length > 0
  if (kind === 'scheme') return view.schemes.has(value)
  if (kind === 'text') return view.text.includes(value) || output.includes(value)
  throw new Error(`${what} is not understood`)
}

const OPEN: ReadonlySet<string> = new Set(['http', 'https', 'relative'])

/** Everything that is wrong with the output, whatever the line says, and by what the line says. */
function faults(line: MarkdownCase, before: MarkdownView, output: string): readonly string[] {
  const after = viewMarkdown(output)
  const found = (line.forbid ?? []).filter((what) => isPresent(what, output, after)).map((what) => `${what} is there`)
  found.push(...(line.keep ?? []).filter((text) => !after.text.includes(text.replace(/\s+/g, ' ').trim())).map((text) => `${text} is gone`))
  if (after.hasHtml) found.push('raw HTML')
  if (line.keepImg !== true && after.images.length > 0) found.push('an image')
  if (line.keepImg === true && after.images.length === 0) found.push('no image')
  // The renderer links addresses of mail by itself, in any text.
  if ([...after.schemes].some((scheme) => !OPEN.has(scheme))) found.push(`schemes ${[...after.schemes].join(' ')}`)
  if (after.code.join('\n') !== before.code.join('\n')) found.push('the code changed')
  if (line.expect === 'allow' && after.text !== before.text) found.push('the text changed')
  return found
}

export async function runMarkdownCase(line: MarkdownCase): Promise<Verdict> {
  const md = expand(line.input, line.input.md)
  const sanitiser = createSanitiser({ markdown: { imageHosts: line.input.policy?.imageHosts ?? [] } })
  const clean = async (text: string): Promise<string> => sanitiser.clean(sanitiser.decode(Buffer.from(text)), 'markdown')
  const start = performance.now()
  try {
    const output = await clean(md)
    const tookMs = performance.now() - start
    if (line.budgetMs !== undefined) return { right: tookMs <= line.budgetMs && (line.alsoOk?.includes('bounded') ?? false), got: `done in ${tookMs.toFixed(0)} ms` }
    const wrong = [...faults(line, viewMarkdown(md), output), ...((await clean(output)) === output ? [] : ['not idempotent'])]
    const isExpected = line.expect === 'allow' || line.expect === 'strip'
    return { right: isExpected && wrong.length === 0, got: `${wrong.join(', ') || 'clean'}: ${JSON.stringify(output.slice(0, 200))}` }
  } catch (error) {
    if (!(error instanceof Refusal)) return { right: false, got: `fault: ${String(error)}` }
    const inTime = line.budgetMs === undefined || performance.now() - start <= line.budgetMs
    return { right: inTime && (line.expect === 'refuse' || (line.alsoOk?.includes('refuse') ?? false)), got: `refuse: ${error.code}` }
  }
}
