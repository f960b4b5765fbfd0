import { expect } from 'vitest'
import { createTokens } from '../../../src/services/tokens/index.ts'
import { createMemorySets } from '../../../src/services/working-sets/index.ts'
import { sourcesOf } from '../../../src/tools/context/context.fixture.ts'
import { valueOf } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

const SECRET = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
const docs = {
  'open/refunds.md': `# Refunds\n\nA refund is issued within a week.\n\ntoken: ${SECRET}\n`,
  'hidden/refunds.md': '# Refunds\n\nA refund of ZXQV is issued at once.\n',
  ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`open/more-${index}.md`, `Parcel ${index} leaves on a day of the week.\n\n`.repeat(200)])),
}

const packed = async ({ open }: World, budget: number): Promise<string> => {
  const { call } = open({
    as: { subject: 'ann', scopes: ['context:read'] },
    settings: { authzPolicy: JSON.stringify({ grants: [{ subject: '*', actions: ['search'], kinds: ['prefix'], prefix: '' }, { subject: '*', actions: ['read'], kinds: ['document'], prefix: 'open/' }] }) },
    options: { replace: { services: {
      sources: sourcesOf({ docs }), tokens: createTokens(), workingSets: createMemorySets({ maxSets: 10, maxItems: 10, maxAllSets: 10, maxAllItems: 10 }),
    } } },
  })
  return JSON.stringify(valueOf(await call('pack_context', { query: 'is a refund issued within a week?', token_budget: budget })))
}

export const context: Area = (proves) => {
  proves('context.budget', 'a pack costs no more tokens than it was given, for every budget that can hold one', async (world) => {
    const count = await createTokens().counter()
    for (const budget of [200, 500, 1_000, 4_000]) expect(count(await packed(world, budget))).toBeLessThanOrEqual(budget)
    expect(await packed(world, 4_000)).toContain('issued within a week')
  })

  proves('context.granted', 'a pack holds no word of what the caller may not read, and no credential of what it may', async (world) => {
    const pack = await packed(world, 8_000)
    expect(pack).toContain('issued within a week')
    expect(pack).not.toContain('ZXQV')
    expect(pack).not.toContain(SECRET)
  })
}
