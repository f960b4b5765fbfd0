import { Answer, NOTICE } from '../../kernel/answer.ts'
import type { Block } from '../../kernel/answer.ts'
import { holdsOutside, mapLeaves, mapStrings } from '../../kernel/leaf.ts'
import type { Fields } from '../../kernel/schema.ts'
import type { GuardDeps } from '../deps.ts'
import type { Release } from '../run.ts'

type Guard = Release<GuardDeps>

export const output: Guard = (answer, { component }) => {
  if (!component.fits(answer.value)) throw new TypeError('the answer does not have the shape that the component promised')
  return answer
}

export const sanitise: Guard = (answer, { component: { plan } }, { content }) => {
  if (!holdsOutside(plan)) return answer
  const clean = mapLeaves(answer.value, plan, (text, { from, format }) => (from === 'outside' ? content.sanitise(text, format) : text))
  return new Answer(clean as Fields, answer.blocks.map((block) => mapText(block, (text) => content.sanitise(text, 'text'))))
}

export const redact: Guard = (answer, { component }, { content }) => {
  const change = component.scansSecrets ? (text: string) => content.scan(content.redact(text)) : (text: string) => content.redact(text)
  return new Answer(mapStrings(answer.value, change) as Fields, answer.blocks.map((block) => mapText(block, change)))
}

export const bound: Guard = (answer, _call, { outputMaxBytes }) => {
  let left = outputMaxBytes
  if (roughBytes(answer) <= left) return answer
  const cut = (text: string): string => {
    const bytes = Buffer.byteLength(text)
    if (bytes <= left) {
      left -= bytes
      return text
    }
    // toString replaces a character that the cut split, so the marker always follows whole text.
    const kept = Buffer.from(text).subarray(0, left).toString('utf8').replace(/\uFFFD$/u, '')
    left = 0
    return `${kept}\n[cut: ${Buffer.byteLength(kept)} of ${bytes} bytes shown]`
  }
  return new Answer(mapStrings(answer.value, cut, sameKey) as Fields, answer.blocks.map((block) => mapText(block, cut)))
}

export const frame: Guard = (answer, { component: { plan } }, { newId }) => {
  if (!holdsOutside(plan)) return answer
  const fence = newId()
  const wrap = (text: string): string => `<<data ${fence}>>\n${text}\n<<end ${fence}>>`
  const value = mapLeaves(answer.value, plan, (text, origin) => (origin.fenced ? wrap(text) : text)) as Fields
  return new Answer({ notice: NOTICE, ...value }, answer.blocks.map((block) => mapText(block, wrap)))
}

const sameKey = (key: string): string => key

/** An upper bound that costs no encoding: at most three bytes a UTF-16 unit. */
function roughBytes({ value, blocks }: Answer): number {
  let units = 0
  const count = (text: string): string => {
    units += text.length
    return text
  }
  mapStrings(value, count)
  for (const block of blocks) mapText(block, count)
  return units * 3
}

function mapText(block: Block, change: (text: string) => string): Block {
  if (block.type === 'text') return { ...block, text: change(block.text) }
  if (block.type === 'resource' && block.resource.text !== undefined) {
    return { ...block, resource: { ...block.resource, text: change(block.resource.text) } }
  }
  return block
}
