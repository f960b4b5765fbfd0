import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../kernel/refusal.ts'
import { sanitiseMarkdown } from './markdown-sanitiser.ts'
import { createMarkdownThread } from './markdown-thread.ts'

const LARGE = '# Title\n\n<script>x</script> [a](javascript:x) ![b](https://e.test/b.png) *text*\n\n'.repeat(200)

describe('Markdown in a thread', () => {
  it('is rebuilt as it is here', async () => {
    expect(await createMarkdownThread()(LARGE)).toBe(await sanitiseMarkdown(LARGE))
  })

  it('is refused as it is here, and the next text is not', async () => {
    const thread = createMarkdownThread()
    const clean = (text: string): Promise<string> => thread(text, { maxBytes: 5_000, maxDepth: 3 })
    const deep = `${'> '.repeat(20)}text\n`.repeat(60)
    const refused = await Promise.allSettled([clean(LARGE), clean(deep), clean('a '.repeat(1_500))])
    expect(refused.map((one) => (one.status === 'rejected' ? (one.reason as Refusal).code : one.value.length))).toEqual(['content.too-large', 'content.too-deep', 3_000])
  })

  it('leaves this thread free', async () => {
    let turns = 0
    const ticking = setInterval(() => (turns += 1), 1)
    await createMarkdownThread()(LARGE)
    clearInterval(ticking)
    expect(turns).toBeGreaterThan(5)
  })

  it('is refused when it takes too long, and the thread that it held is replaced', async () => {
    const hurried = createMarkdownThread({ deadlineMs: 1 })
    // The first has the time that loading takes; the thread is warm after it.
    await hurried('x'.repeat(3_000))
    await expect(hurried(LARGE)).rejects.toMatchObject({ code: 'content.markdown', reason: 'time' })
    expect(await hurried('y'.repeat(3_000))).toBe(`${'y'.repeat(3_000)}\n`)
  })
})
