/** Values of CSS as far as they say whether text can be seen: lengths in pixels, and colours. Estimates, from one tag alone. */

export interface Length {
  readonly number: number
  readonly unit: string
  readonly pixels: number
}

/** What one unit comes to in pixels (CSS Values §6); relative ones for text of 16 pixels in a window of 1,000. */
const UNITS: ReadonlyMap<string, number> = new Map(Object.entries({
  '': 1, px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, q: 0.945, em: 16, rem: 16, ex: 8, ch: 8, lh: 19, vw: 10, vh: 10, vmin: 10, vmax: 10, '%': 10,
}))
const LENGTH = /(?<![\w.#-])[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(%|[a-z]*)/g

/** The numbers and lengths of a value in order, also those inside functions. */
export const lengthsOf = (value: string): readonly Length[] =>
  [...value.matchAll(LENGTH)].map(([spelled, unit = '']) => {
    const number = Number(spelled.slice(0, spelled.length - unit.length))
    return { number, unit, pixels: number * (UNITS.get(unit) ?? 1) }
  })

/** A part of one: a plain number, or a percentage of it. */
export const shareOf = ({ number, unit }: Length): number => (unit === '%' ? number / 100 : number)

/** Red, green and blue from 0 to 255, and how much covers what is below, from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const NAMED: ReadonlyMap<string, Colour> = new Map(Object.entries<Colour>({
  transparent: [0, 0, 0, 0], white: [255, 255, 255, 1], snow: [255, 250, 250, 1], black: [0, 0, 0, 1], gray: [128, 128, 128, 1], grey: [128, 128, 128, 1],
  dimgray: [105, 105, 105, 1], dimgrey: [105, 105, 105, 1], darkgray: [169, 169, 169, 1], darkslategray: [47, 79, 79, 1], navy: [0, 0, 128, 1], blue: [0, 0, 255, 1],
  darkblue: [0, 0, 139, 1], midnightblue: [25, 25, 112, 1], royalblue: [65, 105, 225, 1], steelblue: [70, 130, 180, 1], teal: [0, 128, 128, 1], green: [0, 128, 0, 1],
  darkgreen: [0, 100, 0, 1], forestgreen: [34, 139, 34, 1], olive: [128, 128, 0, 1], red: [255, 0, 0, 1], darkred: [139, 0, 0, 1], crimson: [220, 20, 60, 1],
  maroon: [128, 0, 0, 1], brown: [165, 42, 42, 1], purple: [128, 0, 128, 1], indigo: [75, 0, 130, 1], orange: [255, 165, 0, 1], tomato: [255, 99, 71, 1],
}))
const COLOUR = /#([\da-f]{3,8})(?![\w-])|\b(rgb|hsl)a?\(([^()]*)\)|(?<![\w#-])([a-z]+)(?![\w(-])/g

/** Every colour in a value that can be told: by name only the basic ones and those that are white or clear. */
export const coloursOf = (value: string): readonly Colour[] =>
  [...value.matchAll(COLOUR)].map(colourOf).filter((colour) => colour !== undefined)

function colourOf([, hex, model, parts = '', name = '']: readonly (string | undefined)[]): Colour | undefined {
  if (hex !== undefined) return ofHex(hex)
  return model === undefined ? NAMED.get(name) : ofFunction(model, lengthsOf(parts))
}

function ofHex(digits: string): Colour | undefined {
  const long = digits.length <= 4 ? digits.replace(/./g, '$&$&') : digits
  if (long.length !== 6 && long.length !== 8) return undefined
  const at = (index: number): number => Number.parseInt(long.slice(index, index + 2), 16)
  return [at(0), at(2), at(4), long.length === 8 ? at(6) / 255 : 1]
}

/** Of hues nothing is asked but whether they are white: a grey stands for them. */
function ofFunction(model: string, [first, second, third, alpha]: readonly Length[]): Colour | undefined {
  if (first === undefined || second === undefined || third === undefined) return undefined
  const part = alpha === undefined ? 1 : shareOf(alpha)
  if (model === 'rgb') return [channel(first), channel(second), channel(third), part]
  const grey = Math.min(third.number, 100) * 2.55
  return [grey, grey, grey, part]
}

const channel = ({ number, unit }: Length): number => (unit === '%' ? number * 2.55 : number)
