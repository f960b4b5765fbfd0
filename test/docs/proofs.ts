/**
 * What proves a number of a document, named in a comment in its paragraph or after it, `<!-- proof: setting PORT; test
 * a.test.ts -->`, or in code beside it. What each is held to: `setting NAME`, to the default, in the unit of the name;
 * `bench ID`, to what `bench/results.json` measured; `from SUM`, to the sum of the page's factors. Weaker are `test FILE`,
 * for which the file must hold the number, wherever it stands there; and `run COMMAND`, for which there must be such a
 * command, whatever it prints, unless it is `npm run bench -- --only ID` with a row of that id.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../src/config/index.ts'
import { ROOT } from '../process/built-binary.ts'
import { measured, near } from './measured.ts'
import { type Block, blocksOf, dimensionOf, inBase, type Quantity, quantitiesOf } from './quantities.ts'

type Proof = (quantity: Quantity) => boolean
/** What a letter of the page's own table of factors stands for. */
type Factors = Readonly<Record<string, number>>

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const SCRIPTS = (JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }).scripts
const BENCH_FILES = readdirSync(join(ROOT, 'bench')).filter((name) => name.endsWith('.ts')).map((name) => read(`bench/${name}`))
const BENCHES = BENCH_FILES.join('\n')
/** Rounding to two digits, and what two runs on one machine may be apart. */
const [ROUNDING, RUNS] = [0.06, 0.1]
/** Programs beside those of this package that print what they measure. */
const METERS = /^(?:npm test$|redis-benchmark |psql |time arrowhead )/

/** A size or time is spelled in one unit and compared in another. */
const spellings = (quantity: Quantity): readonly number[] => [quantity.value, inBase(quantity), inBase(quantity) * 1_000, ...(quantity.unit === 'MB' ? [quantity.value * 1_048_576] : [])]

/** Every problem of a document: a number that nothing named beside it holds, and a proof that is not there. */
export function unproved(markdown: string): readonly string[] {
  const blocks = blocksOf(markdown)
  const factors = factorsOf(blocks)
  let command: readonly string[] = []
  return blocks.flatMap((block) => {
    // In a table, `the same` is the bench of the row above; another program must be named again.
    if (block.cells.length === 1) command = []
    else command = block.cells.at(-1)?.trim() === 'the same' ? command.filter((one) => one.startsWith('run npm run bench')) : commandsIn(block)
    return problemsOf(block, { factors, command })
  })
}

const commandsIn = ({ code }: Block): readonly string[] => code.filter((one) => one.startsWith('npm run ') || METERS.test(one)).map((one) => `run ${one}`)

const besideIt = ({ code }: Block): readonly string[] => code.flatMap((one) => (/^ARROWHEAD_[A-Z0-9_]+$/.test(one) ? [`setting ${one.slice('ARROWHEAD_'.length)}`] : /^test\/\S+\.test\.ts$/.test(one) ? [`test ${one}`] : []))

function problemsOf(block: Block, { factors, command }: { readonly factors: Factors; readonly command: readonly string[] }): readonly string[] {
  const named = block.proofs.map((text) => ({ text, proof: proofOf(text, factors) }))
  const given = [...(isFactor(block) ? inputsOf(block, command) : []), ...besideIt(block).map((text) => proofOf(text, factors))]
  const implied = [...command.map((text) => proofOf(text, factors)), ...given]
  const missing = named.filter(({ proof }) => typeof proof === 'string').map(({ proof }) => String(proof))
  const proofs = [...named.map(({ proof }) => proof), ...implied].filter((proof) => typeof proof !== 'string')
  return [
    ...missing,
    ...block.quantities.filter((quantity) => !proofs.some((proof) => proof(quantity))).map(({ text }) => `\`${text}\` has no proof`),
  ].map((problem) => `${block.line}: ${problem}`)
}

/** @returns the reason where there is no such proof. */
function proofOf(text: string, factors: Factors): Proof | string {
  const [, kind = '', what = ''] = /^(\S+) (.*)$/s.exec(text) ?? []
  if (kind === 'setting') return settingProof(what)
  if (kind === 'test') return existsSync(join(ROOT, what)) && /\.test\.ts$/.test(what) ? holds(read(what)) : `no test ${what}`
  if (kind === 'bench') return measured(what, ROUNDING) ?? `no bench ${what}`
  if (kind === 'run') return isCommand(what) ? (measuredBy(what) ?? (() => true)) : `no command ${what}`
  if (kind === 'from') return (quantity) => near(inBase(quantity), sumOf(what, factors), ROUNDING)
  return `no kind of proof: ${text}`
}

function settingProof(name: string): Proof | string {
  const setting = SETTINGS.find((one) => one.env === `ARROWHEAD_${name}`)
  if (setting === undefined) return `no setting ${name}`
  const { fallback } = setting
  if (typeof fallback !== 'number') return () => false
  const unit = UNIT_OF_NAME[/_([A-Z]+)$/.exec(name)?.[1] ?? '']
  return (quantity) => quantity.unit === undefined ? quantity.value === fallback : dimensionOf(quantity.unit) === dimensionOf(unit) && near(inBase(quantity), inBase({ value: fallback, unit }), EXACT)
}

/** The unit that a setting's name ends with. */
const UNIT_OF_NAME: Readonly<Record<string, string>> = { MS: 'ms', SECONDS: 's', MINUTES: 'minute', HOURS: 'hour', DAYS: 'day', BYTES: 'byte', KB: 'kB', MB: 'MB', PERCENT: '%' }
/** Of two numbers that were written differently. */
const EXACT = 1e-9

/** Numbers of a program, products and powers of two computed; at most N is tried with N and with one more. */
function holds(source: string): Proof {
  const numbers = new Set([...source.matchAll(/(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e\d+)?(?: (?:\*|<<) \d[\d_]*)*/g)].map(([text]) => productOf(text.replaceAll('_', ''))))
  return (quantity) => spellings(quantity).some((one) => numbers.has(one) || (one > 10 && numbers.has(one + 1)))
}

const productOf = (text: string): number => text.split(' * ').map((factor) => factor.split(' << ').map(Number)).reduce((all, [base = 0, shift = 0]) => all * base * 2 ** shift, 1)

function isCommand(command: string): boolean {
  const [, script, only] = /^npm run (\S+)(?:.* --only (\S+))?/.exec(command) ?? []
  if (script === undefined) return METERS.test(command)
  return SCRIPTS[script] !== undefined && (only === undefined || BENCHES.includes(`'${only}'`) || new RegExp(`^ {2}${only}: `, 'm').test(BENCHES))
}

const isFactor = ({ cells: [letter = '', , figure] }: Block): boolean => /^[a-z]$/.test(letter.trim()) && figure !== undefined

/** What a factor was measured with, in the cell that says what it is: numbers of the program that measures it. */
function inputsOf({ cells: [, meaning = ''] }: Block, command: readonly string[]): readonly Proof[] {
  const inputs = new Set(quantitiesOf(meaning.replaceAll(/\s+/g, ' ')).map(({ text }) => text))
  const sources = BENCH_FILES.filter((source) => command.flatMap(idsOf).some((id) => source.includes(`'${id}'`))).map(holds)
  return [(quantity) => inputs.has(quantity.text) && sources.some((proof) => proof(quantity))]
}

const idsOf = (command: string): readonly string[] => /npm run bench -- --only (\S+)/.exec(command)?.[1]?.split(',') ?? []

/** Undefined where a command writes no row into the results. */
function measuredBy(command: string): Proof | undefined {
  const proofs = idsOf(command).map((id) => measured(id, RUNS)).filter((proof) => proof !== undefined)
  return proofs.length === 0 ? undefined : (quantity) => proofs.some((proof) => proof(quantity))
}

/** Rows of a table whose first cell is one letter; the first number of the third cell is what it stands for. */
function factorsOf(blocks: readonly Block[]): Factors {
  return Object.fromEntries(blocks.flatMap(({ cells: [letter = '', , figure = ''] }) => {
    const [first] = quantitiesOf(figure)
    return /^[a-z]$/.test(letter.trim()) && first !== undefined ? [[letter.trim(), inBase(first)]] : []
  }))
}

/** Factors, numbers, `*` and `/`, from left to right. NaN, which nothing is near to, where a letter has no row. */
function sumOf(text: string, factors: Factors): number {
  const [first = '', ...rest] = text.split(' ')
  const valueOf = (word: string): number => factors[word] ?? Number(word)
  let value = valueOf(first)
  for (let at = 0; at < rest.length; at += 2) value = rest[at] === '/' ? value / valueOf(rest[at + 1] ?? '') : value * valueOf(rest[at + 1] ?? '')
  return value
}
