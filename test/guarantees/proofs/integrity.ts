import { expect } from 'vitest'
import type { Tool } from '../../../src/kernel/tool.ts'
import { probe, valueOf } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

async function digestOf({ open }: World, tools: readonly Tool[], settings: object = {}): Promise<string> {
  const { text } = valueOf(await open({ settings, options: { tools } }).dispatch({ kind: 'resource', uri: 'arrowhead://integrity' }))
  return (JSON.parse(String(text)) as { digest: string }).digest
}

export const integrity: Area = (proves) => {
  proves('integrity.digest', 'a changed summary, hint or schema, a new tool and a switched-off tool each change the digest', async (world) => {
    const [one, two] = [probe(), probe({ name: 'other' })]
    const before = await digestOf(world, [one, two])
    expect(await digestOf(world, [two, one])).toBe(before)
    expect(await digestOf(world, [probe({ run: () => ({ text: 'another body' }) }), two])).toBe(before)
    const others = [
      await digestOf(world, [probe({ summary: 'A probe. ' }), two]), await digestOf(world, [probe({ effect: 'delete' }), two]),
      await digestOf(world, [{ ...one, input: { ...two.input, json: {}, names: new Set(), parse: two.input.parse } }, two]),
      await digestOf(world, [one]), await digestOf(world, [one, two], { disabledTools: ['other', 'calculate'] }),
    ]
    expect(new Set([before, ...others]).size).toBe(others.length + 1)
  })
}
