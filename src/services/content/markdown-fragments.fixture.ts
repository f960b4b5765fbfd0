/** Pieces of Markdown that mean something, alone and beside each other; tests put them together at random. */

import fc from 'fast-check'

const PIECES = [
  'a', 'b c', '**', '*', '_', '__', '~~', '~', '`', '``', '```', '\n', '\n\n', '\n    ', '\n> ', '\n- ', '\n1. ', '\n2) ', '  \n', '\\\n', '\\',
  '[', '](', '](https://e.test/p "t")', ')', ']', '[a]', '[a]: https://e.test/d\n', '[b]: javascript:x\n', '![', '![x](https://e.test)', '[b]', '![a]',
  '[^n]', '\n\n[^n]: note', '\n\n[^n]: javascript:x', '\n\n[^n]: ```\n    ![x](https://e.test/p)\n    ```\n', '<b>', '</b>', '<div>', '\n<div>\n', '<!-- c -->', '<script>', '</script>', '<https://e.test>', '<javascript:x>',
  'https://e.test/x', 'www.e.test', 'a@b.cc', '&amp;', '&#106;', '&lt;', '&#x200b;', '&#8238;', '&nbsp;', '&#10;', '&#32;', '|', '\n|a|b|\n|-|-|\n|',
  '\n---\n', '\n===\n', '\n***\n', '# ', '\n## ', '#', '- [ ] ', '- [x] ', '\t', '  ', '    ', '!', '"', "'", ':', 'é', '中', '👍', '\u0338', '\u202e',
  '<', '>', '=', '+', '.', '1.', '-', '(', '%41', 'javascript:', 'data:', '//', '\n```\n', '\n~~~\n', '<span style="display:none">', '</span>',
  '*a*', '**b**', '`c`', '~~d~~', '[c](javascript:x)', '[c](<java\tscript:x>)', '[d](//e.test)', '\r\n',
] as const

export const markdownFragments = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength }).map((pieces) => pieces.join(''))
