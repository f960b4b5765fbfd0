/** Every call under every section: what is explained happens, and what would turn it turns it. */

import { expect, it } from 'vitest'
import { agrees, CALLS, REAL_CALLS, SECTIONS, turns } from './explain-policy.fixture.ts'

it('explains what happens', async () => {
  for (const security of SECTIONS) for (const call of REAL_CALLS) await agrees(security, call)
  expect(REAL_CALLS.length).toBeGreaterThan(10)
})

it('names changes that turn the verdict', async () => {
  for (const security of SECTIONS) for (const call of CALLS) await turns(security, call)
  expect(SECTIONS.length).toBeGreaterThan(5)
})
