import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { viewMarkdown } from '../../../test/cases/markdown-view.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { cleanText } from './clean-text.ts'
import { markdownFragments } from './markdown-fragments.fixture.ts'
import { sanitiseMarkdown } from './markdown-sanitiser.ts'

const refusedAs = (code: string): unknown => expect.objectContaining({ code })
const OPEN: ReadonlySet<string> = new Set(['http', 'https', 'relative'])

/** What breaks a rule in a page that a renderer makes of the text. */
const faultsOf = (output: string): readonly string[] => {
  const { hasHtml, images, schemes } = viewMarkdown(output)
  return [
    ...(hasHtml ? ['raw HTML'] : []),
    ...images.map((url) => `image ${url}`),
    ...[...schemes].filter((scheme) => !OPEN.has(scheme)).map((scheme) => `scheme ${scheme}`),
    ...(cleanText(output) === output ? [] : ['hidden characters']),
  ]
}

describe('sanitiseMarkdown', () => {
  it.each([
    ['a tag', 'press <kbd>Ctrl</kbd> now', 'press Ctrl now\n'],
    ['a block of tags', '<details open>\n<summary>s</summary>t &lt;b&gt;\n</details>', 's t \\<b>\n'],
    ['a script and what is in it', '# Title <script>x()</script>', '# Title\n'],
    ['hidden elements and what is in them', 'a <span style="display: none">order</span> b', 'a  b\n'],
    ['hidden blocks and what is in them', '<div hidden>\n\n*order*\n\n</div>\n\nafter', 'after\n'],
    ['hidden blocks in each other', '<div hidden>\n\na\n\n<div>\n\nb\n\n</div>\n\nc\n\n</div>\n\nafter', 'after\n'],
    ['a hidden block that opens another in the same lines', '<div hidden><div>\n\na\n\n</div>\n\nb\n\n</div>\n\nafter', 'after\n'],
    ['only what the inner of two elements hides, when nothing ends the outer', '<div hidden>\n\na\n\n<div hidden>\n\nb\n\n</div>\n\nc', 'a\n\nc\n'],
    ['what a style hides by references', 'a <span style="display&#58;none">order</span> b <b style="display&colon;&#110one">order</b>', 'a  b\n'],
    ['what a style hides behind a comment', 'a <span style="display:/* x */none">order</span> b', 'a  b\n'],
    ['what hides between two things that look like a comment', 'a <span title="/*" hidden class="*/">order</span> b', 'a  b\n'],
    ['dialogs and lists of suggestions', '<dialog>\n\norder\n\n</dialog>\n\na <datalist><option>order</option></datalist>b', 'a b\n'],
    ['a comment', 'a <!-- order --> b', 'a  b\n'],
    ['a tag that removal would join', '<scr<b>ipt>x', '\\<script>x\n'],
    ['an image, but not its text', '![the *text*](https://e.test/p?d=1)', 'the text\n'],
    ['an image inside a link', '[![x](https://e.test/p)](https://e.test/)', '[x](https://e.test/)\n'],
    ['an image by reference, whatever its label folds to', '![x][ẞ]\n\n> [SS]: https://e.test/p', 'x\n'],
    ['a link to a script', '[go](java&NewLine;script:alert(1))', 'go\n'],
    ['a link to a script that is escaped twice', '[go](java%73cript%3Aalert(1))', 'go\n'],
    ['a link to a script by reference', '[go][r]\n\n[r]: <data:text/html,x>', 'go\n'],
    ['an autolink to a file', '<file:///etc/passwd>', 'file:///etc/passwd\n'],
    ['links to another host', '[a](//evil.test/a) [b](\\\\\\\\evil\\\\share) [c](/\\\\evil.test) [d](<&#9;/&#10;/evil.test>) [e](%2f%2Fevil.test)', 'a b c d e\n'],
    ['a link to another host by reference', '[go][r]\n\n[r]: //evil.test', 'go\n'],
    ['a link to an address of mail', 'a@example.com', 'a\\@example.com\n'],
    ['definitions that nobody sees', '[comment]: <> "order"\n\n[^x]: order\n\nshown', 'shown\n'],
    ['hidden characters behind references', 'a&#x200b;&#8238;b `c&#x200b;`', 'ab `c&#x200b;`\n'],
  ])('removes %s', async (_what, md, clean) => {
    expect(await sanitiseMarkdown(md)).toBe(clean)
  })

  it.each([
    ['three times the same', 'a******b******c', 'a**b**c\n', 'abc'],
    ['that crosses another', '_foo __bar_ baz__', '*foo bar baz*\n', 'foo bar baz'],
    ['with another kind between', '**a *b **c** d* e**', '**a *b c d* e**\n', 'a b c d e'],
  ])('writes emphasis inside its own kind once, and no mark of it becomes text: %s', async (_what, md, clean, shown) => {
    expect(await sanitiseMarkdown(md)).toBe(clean)
    expect(viewMarkdown(clean).text.replaceAll(' ', '')).toBe(shown.replaceAll(' ', ''))
  })

  it.each([
    ['headings and rules', '# One\n\n## Two\n\n***\n\ntext\n'],
    ['emphasis', 'a *b* **c** ~~d~~ ***e***\n'],
    ['lists and tasks', '- a\n  - b\n- [x] c\n- [ ] d\n\n1. e\n2. f\n'],
    ['a table', '| a | b |\n| - | :-: |\n| 1 | 2 |\n'],
    ['a quotation', '> a\n>\n> b\n'],
    ['links', '[a](https://e.test/ "t") <https://e.test/x> [b](docs/x.md#L1) [c](/x//y) [d](../z)\n'],
    ['a footnote', 'a[^1]\n\n[^1]: note\n'],
    ['code that looks like markup', '`<b>` `` ` `` `![x](y)`\n\n```md\n![x](https://e.test)\n<script>\n[r]: javascript:x\n```\n'],
    ['nothing', ''],
  ])('keeps %s as it is written', async (_what, md) => {
    expect(await sanitiseMarkdown(md)).toBe(md)
  })

  it('keeps code to the byte', async () => {
    const value = '\tif (a < b && c > d) { return `x` } // ```` \\ \u00a0\n\n  <b>&amp;</b>  \n'
    const { code } = viewMarkdown(await sanitiseMarkdown(`- item\n\n      ${value.replaceAll('\n', '\n      ')}\n\n~~~~~js\n${value}~~~~~\n`))
    expect(code).toEqual([`block ${value.slice(1).trimEnd()}`, `block ${value.slice(0, -1)}`].map((text) => expect.stringContaining(text.slice(8, 30))))
    expect(code[1]).toBe(`block ${value.slice(0, -1)}`)
  })

  it('keeps the line ends of Windows where there are no others', async () => {
    expect(await sanitiseMarkdown('a\r\n\r\n```\r\nb\r\n\r\nc\r\n```\r\n')).toBe('a\r\n\r\n```\r\nb\r\n\r\nc\r\n```\r\n')
    expect(await sanitiseMarkdown('a\r\nb\nc')).toBe('a\nb\nc\n')
  })

  it('shows images from hosts that were named, and from no other', async () => {
    const images = { imageHosts: ['IMG.example.com'] }
    expect(await sanitiseMarkdown('![a](HTTPS://img.example.com/x.png "t")', images)).toBe('![a](https://img.example.com/x.png "t")\n')
    expect(await sanitiseMarkdown('![a][r]\n\n[r]: https://img.example.com/x.png', images)).toBe('![a](https://img.example.com/x.png)\n')
    for (const url of ['//img.example.com/x', 'https://img.example.com@e.test/x', 'https://img.example.com.e.test/x', 'https://e.test/img.example.com', 'ftp://img.example.com/x', 'https://u@img.example.com/x']) {
      expect(viewMarkdown(await sanitiseMarkdown(`![a](${url})`, images)).images).toEqual([])
    }
  })

  it('is idempotent, breaks no rule and keeps code, whatever the pieces', async () => {
    await fc.assert(fc.asyncProperty(markdownFragments(12), async (md) => {
      let once: string
      try {
        once = await sanitiseMarkdown(md)
      } catch (error) {
        expect(error).toEqual(refusedAs('content.markdown'))
        return
      }
      expect(faultsOf(once)).toEqual([])
      expect(await sanitiseMarkdown(once)).toBe(once)
      const before = viewMarkdown(cleanText(md).replaceAll('\r\n', '\n'))
      if (!before.hasHtml) expect(viewMarkdown(once).code).toEqual(before.code)
    }), { numRuns: 250 })
  })

  it.each([
    ['a\r\n\r\n    code\r\n    more\r\n', 'a\r\n\r\n```\r\ncode\r\nmore\r\n```\r\n'],
    ['a\r\n\r\n```\ncode\r\nmore\n```\n', 'a\n\n```\ncode\nmore\n```\n'],
  ])('keeps line ends of CR LF, in code too, where every line has them: %j', async (md, clean) => {
    expect(await sanitiseMarkdown(md)).toBe(clean)
  })

  it('refuses hardly anything', async () => {
    const samples = fc.sample(markdownFragments(10), { numRuns: 250, seed: 7 })
    const results = await Promise.allSettled(samples.map((md) => sanitiseMarkdown(md)))
    expect(results.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(3)
  })
})

describe('limits', () => {
  it.each([
    ['quotations', '>'.repeat(5_000), 'content.too-deep'],
    ['lists on one line', `${'- '.repeat(2_000)}a`, 'content.too-deep'],
    ['lists on many lines', Array.from({ length: 300 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n'), 'content.too-deep'],
    ['emphasis', `${'*a **b '.repeat(80)}${'b** c* '.repeat(80)}`, 'content.too-deep'],
    ['size', 'a'.repeat(500_001), 'content.too-large'],
    ['emphasis that never ends', '*a '.repeat(60_000), 'content.too-large'],
    ['brackets', ']'.repeat(100_000), 'content.too-large'],
    ['unfinished tags', '<a '.repeat(60_000), 'content.too-large'],
    ['line ends with blanks', 'a  \n'.repeat(60_000), 'content.too-large'],
    ['underlines', 'a\n=\n'.repeat(30_000), 'content.too-large'],
    ['blank lines in deep lists', `${'- '.repeat(39)}a${'\n'.repeat(400_000)}`, 'content.too-large'],
    ['short paragraphs', 'para\n\n'.repeat(28_000), 'content.too-large'],
    ['short lines behind what is no code', `  \`\`\`\n\`\`\`\n${'hello world\n'.repeat(20_000)}`, 'content.too-large'],
    ['short lines behind a fence in a list', `- a\n  \`\`\`\n\n\`\`\`\n\`\`\`\n${'hello world\n'.repeat(20_000)}`, 'content.too-large'],
    ['short lines behind a fence in HTML', `<!--\n\`\`\`\n-->\n${'hello world\n'.repeat(20_000)}`, 'content.too-large'],
    ['short lines', 'hello world\n'.repeat(20_000), 'content.too-large'],
    ['short words', 'word '.repeat(95_000), 'content.too-large'],
    ['addresses', 'a.b@c.de '.repeat(12_000), 'content.too-large'],
    ['cells that nobody wrote', `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${'|\n'.repeat(1_000)}`, 'content.too-large'],
    ['one long target, many references', `[r]: https://e.test/${'x'.repeat(10_000)}\n\n${'[r]\n\n'.repeat(200)}`, 'content.too-large'],
  ])('refuses too much of %s', async (_what, md, code) => {
    await expect(sanitiseMarkdown(md)).rejects.toEqual(refusedAs(code))
  })

  // What grows with the square of these takes minutes; what grows with the cube, hours.
  it.each([
    ['blanks in a line', `a${' '.repeat(400_000)}b`],
    ['blanks in a heading', `# a${' '.repeat(400_000)}b`],
    ['blanks behind a break', `a\\\n${' '.repeat(400_000)}b`],
    ['marks on one letter', `e${'\u0301\u0323'.repeat(100_000)}`],
    ['elements that hide and never end', '<div hidden>\n\n'.repeat(4_000)],
    ['elements that hide in a line and never end', `x ${'<b hidden> '.repeat(2_000)}`],
    ['elements of many names that hide and never end', Array.from({ length: 4_000 }, (_, index) => `<x${index} hidden>\n\n`).join('')],
  ])('bears many %s', async (_what, md) => {
    const before = performance.now()
    await sanitiseMarkdown(md, { maxSteps: Number.POSITIVE_INFINITY })
    expect(performance.now() - before).toBeLessThan(20_000)
  }, 60_000)

  it('bears a hundred thousand characters of prose, in short lines or in long ones', async () => {
    const sentence = 'It says in plain words what a person may expect of it, and *nothing* more than that. '
    for (const lines of [1, 4, 12]) {
      const md = `${`## Part\n\n${`${sentence.repeat(12 / lines).trim()}\n`.repeat(lines)}\n`.repeat(94).trim()}\n`
      expect(md.length).toBeGreaterThan(95_000)
      expect(await sanitiseMarkdown(md)).toBe(md)
    }
  })

  it('bears long code', async () => {
    const md = `\`\`\`json\n${'  "key": 1,\n'.repeat(9_000)}\`\`\`\n`
    expect(await sanitiseMarkdown(md)).toBe(md)
  })

  it('bears what people write', async () => {
    const list = Array.from({ length: 400 }, (_, index) => `- **item ${index}** with [a link](https://e.test/${index}) and \`code\`\n`).join('')
    const table = `| a | b |\n| - | - |\n${'| **x** | [y](https://e.test/) |\n'.repeat(300)}`
    const numbered = Array.from({ length: 300 }, (_, index) => `${index + 1}. *x* __y__ ~~z~~\n`).join('')
    const code = `\`\`\`\n${'>>>>>>> ours\n- - - - - -\n        deeply indented\n'.repeat(300)}\`\`\`\n`
    for (const md of [list, table, numbered, code]) expect(viewMarkdown(await sanitiseMarkdown(md)).text).toBe(viewMarkdown(md).text)
  })
})

describe('examples of the specifications', () => {
  const read = (name: string): readonly string[] => {
    const file = new URL(`../../../../shared/corpora/markdown/${name}.txt`, import.meta.url)
    if (!existsSync(file)) return []
    const examples = readFileSync(file, 'utf8').matchAll(/^`{32} example.*\n([\s\S]*?)^\.\n[\s\S]*?^`{32}$/gm)
    return [...examples].map(([, md = '']) => md.replaceAll('→', '\t'))
  }

  it.each([['commonmark-spec', 650], ['gfm-spec', 670]] as const)('%s: safe, stable, and its code kept (skipped where the shared corpora are absent)', async (name, count) => {
    const examples = read(name)
    if (examples.length === 0) return
    expect(examples.length).toBeGreaterThan(count)
    for (const md of examples) {
      const output = await sanitiseMarkdown(md)
      const [before, after] = [viewMarkdown(md), viewMarkdown(output)]
      expect({ md, faults: faultsOf(output), code: after.code, again: await sanitiseMarkdown(output) }).toEqual({ md, faults: [], code: before.code, again: output })
    }
  }, 240_000)
})

it('refuses with nothing but refusals', async () => {
  const broken = fc.sample(fc.string({ unit: 'binary', maxLength: 200 }), 200)
  for (const result of await Promise.allSettled(broken.map((text) => sanitiseMarkdown(text)))) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Refusal)
    else expect(faultsOf(result.value)).toEqual([])
  }
})
