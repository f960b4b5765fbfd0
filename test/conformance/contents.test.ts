/** Bytes in resources and prompts: they arrive as they are or not at all, through every door. */

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createArrowhead, definePrompt, defineResource } from '../../src/index.ts'
import { toWire } from '../../src/doors/mcp/answers.ts'
import { SCOPE } from './fixture.ts'

const FACTS = { scope: SCOPE, uses: [], touches: () => [] } as const
const [SMALL, LARGE] = [10, 5_000].map((bytes) => Buffer.alloc(bytes, 7).toString('base64'))

const picture = (name: string, blob = '') =>
  defineResource({ ...FACTS, uri: `test://${name}`, name, title: name, summary: 'A picture.', mimeType: 'image/png', read: () => ({ blob, mimeType: 'image/png' }) })

const shown = (name: string, data = '') =>
  definePrompt({
    ...FACTS, name, title: name, summary: 'Shows a picture.', input: z.strictObject({}),
    messages: () => [{ role: 'assistant', text: 'Look:' }, { role: 'user', content: { type: 'image', data, mimeType: 'image/png' } }, { role: 'user', text: 'Well?' }],
  })

const open = () =>
  createArrowhead({ outputMaxBytes: 2_048 }, {
    resources: [picture('small', SMALL), picture('large', LARGE)], prompts: [shown('small', SMALL), shown('large', LARGE)], dataDir: join(tmpdir(), 'arrowhead-contents'), replace: { trail: null },
  }).asLocal()

describe('bytes of a resource', () => {
  it('arrive as they are', async () => {
    const local = open()
    expect(await local.readResource('test://small')).toEqual({ blob: SMALL, mimeType: 'image/png' })
    const request = { kind: 'resource', uri: 'test://small' } as const
    expect(toWire(request, await local.outcome(request), { era: 'modern', capabilities: {} }))
      .toEqual({ result: { contents: [{ uri: 'test://small', mimeType: 'image/png', blob: SMALL }] } })
  })

  it('are refused rather than cut where they are too large', async () => {
    await expect(open().readResource('test://large')).rejects.toMatchObject({ code: 'answer.too-large' })
  })
})

describe('a block of a prompt', () => {
  it('stands where it was put', async () => {
    const local = open()
    expect(await local.getPrompt('small')).toEqual([
      { role: 'assistant', text: 'Look:' }, { role: 'user', content: { type: 'image', data: SMALL, mimeType: 'image/png' } }, { role: 'user', text: 'Well?' },
    ])
    const request = { kind: 'prompt', name: 'small', args: {} } as const
    expect(toWire(request, await local.outcome(request), { era: 'legacy', capabilities: {} })).toEqual({
      result: {
        description: 'Shows a picture.',
        messages: [
          { role: 'assistant', content: { type: 'text', text: 'Look:' } },
          { role: 'user', content: { type: 'image', data: SMALL, mimeType: 'image/png' } },
          { role: 'user', content: { type: 'text', text: 'Well?' } },
        ],
      },
    })
  })

  it('is refused rather than cut where it is too large', async () => {
    await expect(open().getPrompt('large')).rejects.toMatchObject({ code: 'answer.too-large' })
  })
})
