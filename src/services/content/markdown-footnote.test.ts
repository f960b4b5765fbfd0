import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { viewMarkdown } from '../../../test/cases/markdown-view.ts'
import { sanitiseMarkdown } from './markdown-sanitiser.ts'

describe('footnotes', () => {
  it.each([
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a script of another language', 'vbscript:x'],
    ['another host', '//evil.test/p'],
    ['a script with a title', 'javascript:x "t"'],
    ['a script with a title on the next line', 'javascript:x\n    (t)'],
    ['a script behind a line end', '\n    javascript:x'],
    ['a script before a break', 'javascript:x\\\n    more'],
    ['a script before more text', 'javascript:x\n    more'],
    ['a script behind references', '&#106;avascript&colon;x'],
    ['a script between angle brackets', '<javascript:x>'],
    ['a script before a blank that ends nothing', 'javascript:x&nbsp;y'],
    ['code that is an image to others', '```\n    ![x](https://evil.test/p)\n    ```'],
    ['code that is markup to others', '```\n    <img src=x onerror=y> [c](javascript:x)\n    ```'],
    ['code in a list', '- ```\n      [c](javascript:x)\n      ```'],
    ['code in a quotation', '> ```\n    > [c](javascript:x)\n    > ```'],
    ['another footnote', '[^2]: javascript:x'],
    ['another footnote on the next line', 'note\n    [^2]&#58; javascript:x'],
  ])('name %s without linking to it, for readers with footnotes and without', async (_what, body) => {
    for (const md of [`a[^1] b[^2]\n\n[^1]: ${body}\n`, `- a[^1] b[^2]\n\n  [^1]: ${body.replaceAll('\n', '\n  ')}\n`, `a[^1] b[^2]\n\n> [^1]: ${body.replaceAll('\n', '\n> ')}\n`]) {
      const output = await sanitiseMarkdown(md)
      const { hasHtml, images, schemes, code, text } = viewMarkdown(output)
      expect({ output, hasHtml, images, schemes: [...schemes].filter((scheme) => scheme !== 'relative') }).toEqual({ output, hasHtml: false, images: [], schemes: [] })
      expect(code).toEqual(viewMarkdown(md).code)
      expect(text).toBe(viewMarkdown(md).text)
      expect(await sanitiseMarkdown(output)).toBe(output)
    }
  })

  it('leave nothing on the next line for an empty one to link to', async () => {
    expect([...viewMarkdown(await sanitiseMarkdown('- a[^1]\n  [^1]:\n  javascript:x')).schemes]).toEqual(['relative'])
  })

  it.each([
    'a[^1]\n\n[^1]: note\n',
    'a[^1]\n\n[^1]: <https://e.test/source>\n',
    'a[^1]\n\n[^1]: javascript: the good parts, by hand\n',
    'a[^1]\n\n[^1]: Note: see *there*.\n\n    ```\n    code\n    ```\n',
    'a[^1] b[^2]\n\n[^1]: one\n    more\n\n[^2]: [c](docs/x.md)\n',
  ])('stay as they are written: %j', async (md) => {
    expect(await sanitiseMarkdown(md)).toBe(md)
  })

  it('link to nothing that may not be linked, whatever the pieces', async () => {
    const pieces = ['[^1]', '[^2]', '\n\n[^1]:', '\n\n[^2]: ', '\n[^2]: ', 'javascript:x', '//e.test/p', '&#58;', '\n', '\n\n', '\n    ', '\n\n    ', '- ', '\n- ', '\n  ', '> ', '```', '\n    ```\n', '`', '![x](https://e.test/p)', '<b>', 'a', ' "t"', '\\', '[c](javascript:x)', '&nbsp;', ':', '*', '!', '(data:x)']
    await fc.assert(fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), async (parts) => {
      const output = await sanitiseMarkdown(`a[^1] b[^2]${parts.join('')}`)
      const { hasHtml, images, schemes } = viewMarkdown(output)
      expect({ output, hasHtml, images, schemes: [...schemes].filter((scheme) => !['relative', 'https'].includes(scheme)) }).toEqual({ output, hasHtml: false, images: [], schemes: [] })
    }), { numRuns: 200 })
  })
})
