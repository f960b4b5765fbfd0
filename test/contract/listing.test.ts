import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it } from 'vitest'
import { everyTool, listedTools } from './catalogue.ts'

/** A listing is read by the model before every conversation, so its length is a price. */
const MAX_TOKENS_PER_TOOL = 150

it('lists every tool', async () => {
  expect((await listedTools()).map(({ name }) => name)).toEqual(everyTool.map(([name]) => name).sort())
})

it(`costs at most ${MAX_TOKENS_PER_TOOL} tokens a tool on average (o200k_base)`, async ({ annotate }) => {
  const listed = await listedTools()
  const tokens = countTokens(JSON.stringify(listed))
  const each = tokens / listed.length
  const price = `token price of the listing: ${tokens} for ${listed.length} tools, ${each.toFixed(1)} each`
  await annotate(price)
  console.info(price)
  expect(each).toBeLessThanOrEqual(MAX_TOKENS_PER_TOOL)
})
