import { Answer, NOTICE } from '../../kernel/answer.ts'
import type { Block } from '../../kernel/answer.ts'
import { holdsForeign, holdsOutside, mapLeaves, mapStrings } from '../../kernel/leaf.ts'
import type { Plan } from '../../kernel/leaf.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Fields } from '../../kernel/schema.ts'
import type { GuardDeps } from '../deps.ts'
import type { Needed, Release } from '../run.ts'

type Guard = Release<GuardDeps>
type When = Needed<GuardDeps>

export const output: Guard = (answer, { component }) => {
  if (!component.fits(answer.value)) throw new TypeError('the answer does not have the shape that the component promised')
  return answer
}

export const hasForeign: When = ({ plan }) => holdsForeign(plan)

export const sanitise: Guard = (answer, { component: { plan } }, { content }) => {
  const rebuilding: Promise<string>[] = []
  const value = mapLeaves(answer.value, plan, (text, { from, format }) => {
    if (from === 'server') return text
    const own = format === 'document' ? formatOf(answer.value) : format
    if (own === 'text' || own === 'line') return content.sanitise(text, own)
    rebuilding.push(content.rebuild(text, own))
    return text
  }) as Fields
  const blocks = answer.blocks.map((block) => mapText(block, (text) => content.sanitise(text, 'text')))
  if (rebuilding.length === 0) return new Answer(value, blocks)
  return Promise.all(rebuilding).then((texts) => new Answer(rebuilt(value, answer, plan, texts), blocks))
}

/** A document says in its metadata what it is; one that says nothing is plain text. */
function formatOf({ metadata }: Fields): 'text' | 'markdown' | 'json' {
  const { format } = (metadata ?? {}) as { format?: unknown }
  return format === 'markdown' || format === 'json' ? format : 'text'
}

/** The same walk again: each rebuilt text goes where its leaf was met. */
function rebuilt(value: Fields, answer: Answer, plan: Plan | undefined, texts: readonly string[]): Fields {
  let next = 0
  return mapLeaves(value, plan, (text, { from, format }) => {
    const own = format === 'document' ? formatOf(answer.value) : format
    return from !== 'server' && own !== 'text' && own !== 'line' ? (texts[next++] ?? '') : text
  }) as Fields
}

export const hasSecrets: When = ({ scansSecrets }, { content }) => scansSecrets || content.redact !== undefined

export const redact: Guard = (answer, { component }, { content }) => {
  const { redact: own = same } = content
  if (component.scansSecrets) return content.scanner().then((scan) => mapAll(answer, (text) => scan(own(text))))
  return mapAll(answer, own)
}

const same = (text: string): string => text

const mapAll = ({ value, blocks }: Answer, change: (text: string) => string): Answer =>
  new Answer(mapStrings(value, change) as Fields, blocks.map((block) => mapText(block, change)))

export const bound: Guard = (answer, _call, { outputMaxBytes }) => {
  if (weigh(answer.value) + weigh(answer.blocks) <= outputMaxBytes) return answer
  let left = outputMaxBytes - MARGIN_BYTES
  const cut = (text: string): string => {
    const bytes = Buffer.byteLength(text)
    if (bytes <= left) {
      left -= bytes
      return text
    }
    // toString replaces a character that the cut split, so the marker always follows whole text.
    const kept = left <= 0 ? '' : Buffer.from(text).subarray(0, left).toString('utf8').replace(/\uFFFD$/u, '')
    const marked = left <= 0 ? '' : `${kept}\n[cut: ${Buffer.byteLength(kept)} of ${bytes} bytes shown]`
    left = 0
    return marked
  }
  const value = mapStrings(answer.value, cut, same) as Fields
  const blocks = answer.blocks.map((block) => mapText(block, cut))
  // What is still too large is not text: numbers, pictures, or very many small things.
  if (Buffer.byteLength(JSON.stringify([value, blocks])) > outputMaxBytes) throw refusal('answer.too-large', 'ask for less at a time')
  return new Answer(value, blocks)
}

export const hasOutside: When = ({ plan }) => holdsOutside(plan)

export const frame: Guard = (answer, { component: { plan } }, { newId }) => {
  const fence = fenceFor(answer, newId)
  const wrap = (text: string): string => `<<data ${fence}>>\n${text}\n<<end ${fence}>>`
  const value = mapLeaves(answer.value, plan, (text, origin) => (origin.fenced ? wrap(text) : text)) as Fields
  return new Answer({ notice: NOTICE, ...value }, answer.blocks.map((block) => mapText(block, wrap)))
}

/** A word that nobody could know beforehand, and that no text of the answer holds. */
function fenceFor({ value, blocks }: Answer, newId: () => string): string {
  const holds = (fence: string): boolean => {
    let found = false
    const look = (text: string): string => {
      found ||= text.includes(fence)
      return text
    }
    mapStrings([value, blocks], look)
    return found
  }
  for (let tries = 0; tries < MAX_FENCES; tries += 1) {
    const fence = newId()
    if (!holds(fence)) return fence
  }
  throw new TypeError('no fence was found that the content does not hold')
}

/** A second one is next to never needed; a source of ids that repeats itself must not hang a call. */
const MAX_FENCES = 8

/** Bytes kept free for the structure around texts and for the marker. */
const MARGIN_BYTES = 256
/** The longest number in JSON, with its comma. */
const NUMBER_BYTES = 26

/** What no door could send: what a call came to is then known only after it was recorded. */
const UNSENDABLE: ReadonlySet<string> = new Set(['bigint', 'function', 'symbol'])

/**
 * An upper bound of the JSON's size that costs no encoding: at most three bytes a UTF-16 unit, escapes aside.
 * @throws TypeError for a value that JSON has no word for.
 */
function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length * 3 + 3
  if (UNSENDABLE.has(typeof value)) throw new TypeError('the answer holds a value that JSON has no word for')
  if (value === null || typeof value !== 'object') return NUMBER_BYTES
  // Such as a date or an address: only what it says of itself goes out.
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return Buffer.byteLength(JSON.stringify(value) ?? '')
  let bytes = 2
  if (Array.isArray(value)) for (const item of value) bytes += weigh(item)
  // What it inherits is not sent.
  else for (const key in value) if (Object.hasOwn(value, key)) bytes += key.length * 3 + 4 + weigh((value as Fields)[key])
  return bytes
}

function mapText(block: Block, change: (text: string) => string): Block {
  if (block.type === 'text') return { ...block, text: change(block.text) }
  if (block.type === 'resource' && block.resource.text !== undefined) {
    return { ...block, resource: { ...block.resource, text: change(block.resource.text) } }
  }
  return block
}
