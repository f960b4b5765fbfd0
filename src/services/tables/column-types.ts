/**
 * Which type the values of a column have. Only what every value is beyond doubt counts, and what would change by being
 * read as a number (a leading zero, a plus, a space) stays text.
 */

const BITS = { boolean: 1, bigint: 2, numeric: 4, 'double precision': 8, date: 16, timestamp: 32, timestamptz: 64, jsonb: 128, text: 256 } as const
type TypeName = keyof typeof BITS
const NAMES = Object.keys(BITS) as readonly TypeName[]

const ANY = 511
/** What a nested JSON value can be. */
export const JSON_TYPE = BITS.jsonb | BITS.text
/** What a JSON text can be. */
export const TYPE_OF_TEXT = BITS.date | BITS.timestamp | BITS.timestamptz | BITS.text

const INTEGER = /^(?:0|-?[1-9]\d*)$/
const DECIMAL = /^-?(?:0|[1-9]\d*)\.\d+$/
const SCIENTIFIC = /^-?(?:0|[1-9]\d*)(?:\.\d+)?[eE][+-]?\d{1,3}$/
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/
const [MAX_INTEGER_DIGITS, MAX_DECIMAL_CHARS] = [18, 1_000]

/** Bits of the types that a text can be read as without changing what it says. */
export function typesOf(text: string): number {
  const first = text.charCodeAt(0)
  // A digit or a minus; anything else is a word.
  if ((first < 48 || first > 57) && first !== 45) return /^(?:true|false)$/i.test(text) ? BITS.boolean | BITS.text : BITS.text
  if (text.length > MAX_DECIMAL_CHARS) return BITS.text
  if (INTEGER.test(text)) return (text.length <= MAX_INTEGER_DIGITS ? BITS.bigint : 0) | BITS.numeric | BITS['double precision'] | BITS.text
  if (DECIMAL.test(text)) return BITS.numeric | BITS['double precision'] | BITS.text
  if (SCIENTIFIC.test(text)) return (Number.isFinite(Number(text)) ? BITS['double precision'] : 0) | BITS.text
  return momentOf(text) | BITS.text
}

function momentOf(text: string): number {
  const [, year = '', month = '', day = '', hour, zone] = MOMENT.exec(text) ?? []
  if (year === '' || year === '0000' || !isDay(Number(year), Number(month), Number(day))) return 0
  return hour === undefined ? BITS.date : zone === undefined ? BITS.timestamp : BITS.timestamptz
}

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Collects what the values of each column have in common. */
export class ColumnTypes {
  readonly #common: number[] = []

  note(cells: readonly (string | null)[], types?: readonly number[]): void {
    for (const [at, cell] of cells.entries()) {
      const common = this.#common[at] ?? ANY
      // Text alone is left: nothing that follows can change that.
      this.#common[at] = cell === null || common === BITS.text ? common : common & (types?.[at] ?? typesOf(cell))
    }
  }

  /** The narrowest type that holds every value; text where there was none. */
  of(column: number): TypeName {
    const common = this.#common[column] ?? ANY
    return common === ANY ? 'text' : (NAMES.find((name) => (common & BITS[name]) !== 0) ?? 'text')
  }
}

const [LENGTH, PRECISION] = [String.raw`(?: ?\([1-9]\d{0,7}\))?`, String.raw`(?: ?\(\d{1,4}(?:, ?-?\d{1,4})?\))?`]
/** The types of Postgres that a text can be read as (PostgreSQL, §8), in all their spellings, or arrays of them. */
const GIVEN = new RegExp(`^(?:${[
  'text', 'bool(?:ean)?', 'smallint|int2|int(?:eger)?|int4|bigint|int8', `real|float4|double precision|float8|float${LENGTH}`, 'money',
  `(?:numeric|decimal|dec)${PRECISION}`,
  `(?:national )?(?:character|char)(?: varying)?${LENGTH}|(?:nchar|bpchar|varchar)${LENGTH}|(?:bit(?: varying)?|varbit)${LENGTH}`,
  String.raw`date|(?:time|timestamp)(?: ?\([0-6]\))?(?: with(?:out)? time zone)?|(?:timetz|timestamptz|interval)(?: ?\([0-6]\))?`,
  'jsonb?|uuid|bytea|inet|cidr|macaddr8?|tsvector|tsquery|point|line|lseg|box|path|polygon|circle', `(?:vector|halfvec|sparsevec)${LENGTH}`,
  '(?:int4|int8|num|ts|tstz|date)(?:multi)?range',
].join('|')})(?:\\[\\d{0,6}\\]){0,6}$`)

/** A type as its owner writes it, such as `numeric(10,2)`, `timestamp(3) with time zone` or `text[]`. */
export const isTypeName = (text: string): boolean => GIVEN.test(text)
