/**
 * Macros of C and C++ that a grammar cannot know, blanked where they stand beside a declaration, so that the rest
 * parses. Every place keeps its offset.
 */

/** In capitals before a type and a name: `LUA_API int f`, `static FMT_INLINE auto x`, `LUA_API int (f) (int)`. */
const BEFORE = /\b[A-Z][A-Z0-9_]{2,60}(?=[ \t]{1,8}(?:[a-z_~]\w{0,60}(?:::\w{1,60}){0,4})(?:<[^<>;\n]{0,100}>)?(?:[ \t]{1,8}[*&]{0,2}|[ \t]{0,8}[*&]{1,2}[ \t]{0,8}|::~?)(?:[A-Za-z_]|\(\w{1,80}\)[ \t]{0,8}\())/g
/** Between a keyword and a name: `class FMT_API buffer`. */
const WITHIN = /(?<=\b(?:class|struct|union|enum|namespace)[ \t]{1,8})[A-Z][A-Z0-9_]{2,60}(?=[ \t]{1,8}\w)/g
/** Alone on a line that neither begins nor ends in a list. */
const ALONE = /(?<=[;})>\n][ \t]{0,40}\n)[ \t]{0,40}[A-Z][A-Z0-9_]{3,60}[ \t]*(?=\n\s{0,40}[^\s,}=)])/g
/** Around the parameters of a prototype: `int f OF((int x));`. */
const AROUND = /(?<=\w[ \t]{1,8})[A-Z_]{2,60}[ \t]{0,8}\((?=\()([^;{}]{0,2000}?)\)(?=[ \t]{0,8};)/g

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

export const withoutMacros = (text: string): string =>
  text.replace(AROUND, (whole, inner: string) => `${blank(whole.slice(0, whole.length - inner.length - 1))}${inner} `).replace(WITHIN, blank).replace(BEFORE, blank).replace(ALONE, blank)
