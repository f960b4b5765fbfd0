/** CommonMark with GitHub's extensions, as text to tree and tree to text. Loaded when the first document needs it. */

import type { Root } from 'mdast'
import type { Options } from 'mdast-util-to-markdown'
import type { rebuildTree } from './markdown-tree.ts'

export interface MarkdownSyntax {
  parse(text: string): Root
  print(root: Root): string
  readonly rebuild: typeof rebuildTree
}

let loading: Promise<MarkdownSyntax> | undefined

export const markdownSyntax = (): Promise<MarkdownSyntax> => {
  loading ??= load()
  return loading
}

async function load(): Promise<MarkdownSyntax> {
  const [{ fromMarkdown }, { toMarkdown }, { gfm }, { gfmFromMarkdown, gfmToMarkdown }, { rebuildTree: rebuild }, { footnoteDefinition }] = await Promise.all([
    import('mdast-util-from-markdown'),
    import('mdast-util-to-markdown'),
    import('micromark-extension-gfm'),
    import('mdast-util-gfm'),
    import('./markdown-tree.ts'),
    import('./markdown-footnote.ts'),
  ])
  // The transforms look for links in text that was unescaped already: they would undo what escaping is for.
  const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))
  const reading = { extensions: [gfm()], mdastExtensions }
  const writing = { extensions: [gfmToMarkdown({ tablePipeAlign: false }), { handlers: { footnoteDefinition } }], bullet: '-' } satisfies Options
  return { parse: (text) => fromMarkdown(text, reading), print: (root) => toMarkdown(root, writing), rebuild }
}
