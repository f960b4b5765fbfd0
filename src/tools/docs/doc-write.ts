import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { echoed } from '../../kernel/leaf.ts'
import { ABSENT, defineTool } from '../../kernel/tool.ts'
import { canonical, documentPath, extensionOf, formatOf } from './document.ts'

const target = (path: string) => access('write', 'document', canonical(path))

export const docWrite = defineTool({
  name: 'doc_write',
  title: 'Write a document',
  summary: 'Writes a document to the corpus. Replaces one only with overwrite, which asks a person.',
  scope: 'docs:write',
  level: 'SAFE',
  effect: 'replace',
  idempotent: false,
  openWorld: false,
  perMinute: 30,
  uses: ['content', 'corpus'],

  input: z.strictObject({
    path: documentPath,
    content: z.string().max(10_000_000).refine((text) => !/\p{Cs}/u.test(text), 'must be Unicode text without half characters'),
    overwrite: z.boolean().default(false),
  }),
  output: z.strictObject({ path: echoed(z.string()), size: z.int(), extension: echoed(z.string()), created: z.boolean() }),
  examples: [{ title: 'A new note', input: { path: 'local/notes/todo.md', content: '# To do\n' } }],

  touches: ({ path }) => [target(path)],
  rise: async ({ path, overwrite }, inspector) => (overwrite && (await inspector.exists(target(path))) ? 'CONFIRM' : 'SAFE'),
  replaces: ({ path, content }) => ({ field: 'content', target: target(path), text: content }),

  async run({ path, content: text, overwrite }, { content, corpus }, { agreedTo, level, signal }) {
    const name = canonical(path)
    const bytes = new TextEncoder().encode(text)
    // What could not be read back is not written.
    await content.clean(content.decode(bytes), formatOf(name))
    const written = await corpus.write(name, bytes, { ...modeOf({ overwrite, agreedTo, level }), signal })
    return { path: written.path, size: written.size, extension: extensionOf(written.path), created: !written.replaced }
  },
})

/** Replaces only what was there when the call was let through; where a person agreed, only what they saw. */
function modeOf({ overwrite, agreedTo, level }: { readonly overwrite: boolean; readonly agreedTo: string | undefined; readonly level: string }) {
  if (!overwrite || level === 'SAFE' || agreedTo === ABSENT) return { overwrite: false }
  return { overwrite: true, ...(agreedTo !== undefined && { ifSha256: agreedTo }) }
}
