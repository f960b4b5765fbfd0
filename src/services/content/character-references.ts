/** Character references of HTML, read once. */

import { decodeString } from 'micromark-util-decode-string'

const NUMERIC = /&#(?:x([0-9a-f]+)|(\d+));?/gi

/** References of Markdown, which end in a semicolon; backslashes are themselves here. */
export const withReferences = (text: string): string => decodeString(text.replace(/\\/g, '\\\\'))

/** As a browser reads attributes: numeric references need no semicolon (HTML §13.2.5.80). */
export const attributeText = (text: string): string =>
  text.includes('&') ? withReferences(text.replace(NUMERIC, (_all, hex: string | undefined, digits = '') => codePoint(hex === undefined ? Number(digits) : Number.parseInt(hex, 16)))) : text

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
