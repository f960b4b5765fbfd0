/** Attributes that keep what is inside an element from a reader: by themselves, or by a style that shows nothing of it. */

import { attributeText } from './character-references.ts'
import { coloursOf, lengthsOf, shareOf } from './css-values.ts'
import type { Colour, Length } from './css-values.ts'

/** The values of each property, lower case. All count: a browser skips those that it does not understand. */
type Style = ReadonlyMap<string, readonly string[]>
type Test = (value: string, style: Style) => boolean

const has = (style: Style, properties: readonly string[], test: (value: string) => boolean): boolean =>
  properties.some((property) => style.get(property)?.some(test) ?? false)

const isOneOf = (...words: readonly string[]): Test => (value) => words.includes(value)
const firstOf = (value: string): Length | undefined => lengthsOf(value)[0]

/** Less than this part of a colour or of a size is not seen. */
const FAINT = 0.05
const isFaint = (part: Length | undefined): boolean => part !== undefined && Math.abs(shareOf(part)) < FAINT

const isUnreadable = ({ number, unit, pixels }: Length): boolean => (unit === '%' ? number * 0.16 : pixels) < 1
const hasTinyFont: Test = (value) => lengthsOf(value).slice(0, 1).some(isUnreadable)
/** Of the shorthand what stands before the height of a line; a weight is a plain number. */
const hasTinySize: Test = (value) => lengthsOf(value.split('/', 1)[0] ?? '').some(isUnreadable)

/** So far off that no window shows it; the halves of a window that bring a box to its middle are not. */
const isFarOff = ({ pixels }: Length): boolean => pixels <= -900 || pixels >= 2_000
const isFar: Test = (value) => lengthsOf(value).some(isFarOff)
/** Percentages are of the element's own size here. */
const isFarMove = (parts: readonly Length[]): boolean => parts.some((part) => part.unit !== '%' && isFarOff(part))
const isPlaced = (style: Style): boolean => has(style, ['position'], (value) => value !== 'static')
const isCut = (style: Style): boolean => has(style, ['overflow', 'overflow-x', 'overflow-y'], (value) => /\b(?:hidden|clip)\b/.test(value))
const isFarPlaced: Test = (value, style) => isPlaced(style) && isFar(value, style)
const isFarIndent: Test = (value, style) => isFar(value, style) || (isCut(style) && (firstOf(value)?.pixels ?? 0) >= 1_000)

/** What runs over the edge of a box without room is shown unless it is cut; padding is room. */
const isCutBox: Test = (value, style) =>
  (firstOf(value)?.pixels ?? Number.POSITIVE_INFINITY) <= 1 && isCut(style) &&
  !has(style, ['padding', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left'], (room) => lengthsOf(room).some(({ pixels }) => pixels > 1))

const isWhite = ([red, green, blue]: Colour): boolean => Math.min(red, green, blue) >= 250
const isClear = ([, , , alpha]: Colour): boolean => alpha < FAINT
const BACKGROUND = ['background', 'background-color', 'background-image']
/** The colours of each background; one that is clear is none. */
const backgrounds = (style: Style): readonly (readonly Colour[])[] =>
  BACKGROUND.flatMap((property) => style.get(property) ?? []).map((value) => coloursOf(value).filter((colour) => !isClear(colour))).filter((colours) => colours.length > 0)
const isClippedToText = (style: Style): boolean => has(style, ['background-clip', '-webkit-background-clip'], (value) => value === 'text')

const isAlike = (one: Colour, other: Colour): boolean => (isWhite(one) && isWhite(other)) || one.every((part, index) => part === other[index])

/** Clear, white on nothing darker, or the colour of its own background. Text may be a window to a background instead. */
const isUnseen: Test = (value, style) => {
  const [colour] = coloursOf(value)
  if (colour === undefined) return false
  const below = backgrounds(style)
  if (isClear(colour)) return below.length === 0 || !isClippedToText(style)
  return below.length === 0 ? isWhite(colour) : below.some((colours) => colours.every((other) => isAlike(other, colour)))
}

/** A rectangle by its sides, top first (CSS 2 §11.1.2); only what is placed is cut to it. */
const isEmptyClip: Test = (value, style) => {
  const [top, right, bottom, left] = lengthsOf(value)
  if (!value.startsWith('rect') || !top || !right || !bottom || !left) return false
  return isPlaced(style) && (bottom.pixels - top.pixels <= 1 || right.pixels - left.pixels <= 1)
}

/** What is left of 1,000 pixels when each side is cut off (CSS Shapes §3.1). */
const isFullInset = (parts: readonly Length[]): boolean => {
  const [top = 0, right = top, bottom = top, left = right] = parts.map(({ pixels }) => pixels)
  return top + bottom >= 999 || left + right >= 999
}
const isFlat = (parts: readonly Length[]): boolean =>
  [0, 1].some((axis) => new Set(parts.filter((_part, index) => index % 2 === axis).map(({ pixels }) => pixels)).size <= 1)
const isFlatTurn = ([angle]: readonly Length[]): boolean => angle?.unit === 'deg' && Math.abs(angle.number) % 180 === 90
const isSmallScale = (parts: readonly Length[]): boolean => parts.slice(0, 2).some(isFaint)

/** Functions of values that leave nothing to be seen, by name. */
const FUNCTIONS: ReadonlyMap<string, (parts: readonly Length[]) => boolean> = new Map(Object.entries<(parts: readonly Length[]) => boolean>({
  inset: isFullInset,
  circle: ([radius]) => radius !== undefined && radius.pixels <= 1,
  ellipse: (parts) => parts.slice(0, 2).some(({ pixels }) => pixels <= 1),
  polygon: isFlat,
  scale: isSmallScale,
  scale3d: isSmallScale,
  scalex: isSmallScale,
  scaley: isSmallScale,
  matrix: (parts) => parts.length === 6 && parts.slice(0, 4).every(isFaint),
  rotatex: isFlatTurn,
  rotatey: isFlatTurn,
  translate: isFarMove,
  translate3d: isFarMove,
  translatex: isFarMove,
  translatey: isFarMove,
  opacity: ([part]) => isFaint(part),
}))
const FUNCTION = /(?<![a-z\d])([a-z][a-z\d]*)\(([^()]*)\)/g
const hasEmptyFunction: Test = (value) => [...value.matchAll(FUNCTION)].some(([, name = '', parts = '']) => FUNCTIONS.get(name)?.(lengthsOf(parts)) ?? false)

const PROPERTIES: ReadonlyMap<string, Test> = new Map(Object.entries<Test>({
  display: isOneOf('none'),
  visibility: isOneOf('hidden', 'collapse'),
  'content-visibility': isOneOf('hidden'),
  'mso-hide': isOneOf('all'),
  opacity: (value) => isFaint(firstOf(value)),
  filter: hasEmptyFunction,
  'font-size': hasTinyFont,
  font: hasTinySize,
  color: isUnseen,
  '-webkit-text-fill-color': isUnseen,
  'text-indent': isFarIndent,
  left: isFarPlaced,
  right: isFarPlaced,
  top: isFarPlaced,
  bottom: isFarPlaced,
  inset: isFarPlaced,
  margin: isFar,
  'margin-left': isFar,
  'margin-top': isFar,
  height: isCutBox,
  'max-height': isCutBox,
  width: isCutBox,
  'max-width': isCutBox,
  clip: isEmptyClip,
  'clip-path': hasEmptyFunction,
  '-webkit-clip-path': hasEmptyFunction,
  transform: hasEmptyFunction,
  '-webkit-transform': hasEmptyFunction,
  scale: (value) => isSmallScale(lengthsOf(value)),
  translate: (value) => isFarMove(lengthsOf(value)),
}))

const MAY_HIDE = /hidden|style|color/i
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"'<>]+)))?/g
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g
const ESCAPE = /\\(?:([\da-f]{1,6})\s?|(.))/gi

/** Nobody declares one property so often, and looking at every pair of values takes the square of their number. */
const MAX_VALUES = 16

/** @param name of the element, lower case. @param attributes as they stand in its tag. */
export function hidesContent(name: string, attributes: string): boolean {
  if (!MAY_HIDE.test(attributes)) return false
  const style = new Map<string, string[]>()
  for (const [property, value] of declarationsOf(name, attributes)) {
    const values = style.get(property)
    if (values === undefined) style.set(property, [value])
    else if (values.length === MAX_VALUES) return true
    else if (!values.includes(value)) values.push(value)
  }
  return style.has('hidden') || [...style].some(([property, values]) => values.some((value) => PROPERTIES.get(property)?.(value, style) ?? false))
}

/** Of the style, and of the attributes that mean the same; `hidden` counts as a property. */
function* declarationsOf(name: string, attributes: string): Generator<readonly [property: string, value: string]> {
  for (const [, spelled = '', double, single, bare = ''] of attributes.matchAll(ATTRIBUTE)) {
    const attribute = spelled.toLowerCase()
    const value = double ?? single ?? bare
    if (attribute === 'style') yield* styleOf(value)
    else if (attribute === 'bgcolor') yield ['background-color', attributeText(value).toLowerCase()]
    else if (attribute === 'hidden' || (attribute === 'color' && name === 'font')) yield [attribute, attributeText(value).toLowerCase()]
  }
}

/** Comments are nothing, and escapes are what they stand for (CSS Syntax §4.3.2 and §4.3.7). */
function styleOf(style: string): readonly (readonly [property: string, value: string])[] {
  const plain = attributeText(style).replace(COMMENT, '').replace(ESCAPE, (_all, hex: string | undefined, character = '') => (hex === undefined ? character : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff))))
  return plain.toLowerCase().split(';').map((declaration) => {
    const at = declaration.indexOf(':')
    return [declaration.slice(0, Math.max(at, 0)).trim(), declaration.slice(at + 1).replace(/!\s*important\s*$/, '').trim()]
  })
}
