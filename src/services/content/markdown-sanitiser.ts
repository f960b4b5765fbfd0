/**
 * Markdown from outside, rebuilt from its tree (CommonMark 0.31 and GitHub's extensions): text, structure and code,
 * no raw HTML, no images but from named hosts, and links to nothing but http, https and neighbouring documents.
 */

import { refusal } from '../../kernel/refusal.ts'
import { cleanText } from './clean-text.ts'
import { markdownCost } from './markdown-cost.ts'
import { markdownSyntax } from './markdown-syntax.ts'
import type { MarkdownSyntax } from './markdown-syntax.ts'
import { codeOf, walk } from './markdown-walk.ts'

export interface MarkdownLimits {
  /** UTF-8 bytes of the text, before and after. */
  readonly maxBytes: number
  /** Levels of the tree: quotations and lists in each other, and emphasis and links inside them. 1 to 100. */
  readonly maxDepth: number
  /** Steps that a parser may take, as estimated by {@link markdownCost}. */
  readonly maxSteps: number
  /** Hosts from which images may be shown, exactly and without their ports; unset means none. */
  readonly imageHosts: readonly string[]
}

export const MARKDOWN_LIMITS: MarkdownLimits = { maxBytes: 500_000, maxDepth: 40, maxSteps: 60_000_000, imageHosts: [] }
const DEEPEST = 100
/** Rows times columns of one table: short rows are filled up when they are written. */
const MAX_CELLS = 200_000
const MAX_PASSES = 6
/** Every line ends in a carriage return and a line feed, as code in the text does then. */
const WINDOWS = /^(?:[^\r\n]*\r\n)+[^\r\n]*$/

/**
 * Repeats until nothing changes, so that cleaning twice is cleaning once. Code keeps every character but this: where
 * not all lines end in CR LF, all of them leave with LF.
 * @throws Refusal `content.too-large` and `content.too-deep` before anything is parsed where that can be seen;
 *   `content.markdown` where no form is found that stays as it is and keeps the code.
 */
export async function sanitiseMarkdown(text: string, limits: Partial<MarkdownLimits> = {}): Promise<string> {
  const bounds = { ...MARKDOWN_LIMITS, ...limits }
  assertSize(text, bounds.maxBytes)
  const clean = cleanText(text)
  const lineEnd = WINDOWS.test(clean) ? '\r\n' : '\n'
  let current = clean.replaceAll('\r\n', '\n')
  let code: string | undefined
  const syntax = await markdownSyntax()
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    assertBearable(current, bounds)
    const { text: next, changes, code: kept } = rewrite(current, syntax, bounds)
    code ??= kept
    if (kept !== code) throw refusal('content.markdown', 'its code would not stay as it is')
    if (next === current && changes === 0) return withLineEnds(current, lineEnd, bounds.maxBytes)
    current = next
  }
  throw refusal('content.markdown', 'its form does not settle')
}

const withLineEnds = (text: string, lineEnd: string, maxBytes: number): string => {
  const out = text.replaceAll('\n', lineEnd)
  assertSize(out, maxBytes)
  return out
}

const assertSize = (text: string, maxBytes: number): void => {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) throw refusal('content.too-large')
}

function assertBearable(text: string, { maxBytes, maxDepth, maxSteps }: MarkdownLimits): void {
  assertSize(text, maxBytes)
  const { depth, steps } = markdownCost(text)
  if (depth > Math.min(maxDepth, DEEPEST)) throw refusal('content.too-deep')
  if (steps > maxSteps) throw refusal('content.too-large', 'its markup is too dense to be parsed in time')
}

interface Rewritten {
  readonly text: string
  readonly changes: number
  readonly code: string
}

function rewrite(text: string, { parse, print, rebuild }: MarkdownSyntax, bounds: MarkdownLimits): Rewritten {
  const tree = parse(text)
  for (const [node, level] of walk(tree)) {
    if (level > Math.min(bounds.maxDepth, DEEPEST) * 2 + 2) throw refusal('content.too-deep')
    if (node.type === 'table' && node.children.length * (node.children[0]?.children.length ?? 0) > MAX_CELLS) throw refusal('content.too-large', 'a table has too many cells')
  }
  const { root, changes } = rebuild(tree, bounds)
  return { text: cleanText(print(root)), changes, code: codeOf(root).join('\n') }
}
