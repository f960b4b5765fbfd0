import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Replies } from '../../kernel/question.ts'
import type { OpenCorpus } from '../../kernel/ports/corpus.ts'
import { memoryCorpus } from '../../testing/memory-corpus.ts'
import { codeOf, open, openAsAnn, unfenced, valueOf } from './docs.fixture.ts'

const PATH = 'notes/plan.txt'

it('creates a document and tells its size and extension', async () => {
  const { call } = open()
  expect(valueOf(await call('doc_write', { path: 'notes/new.md', content: '# Né\n' }))).toEqual({ path: 'notes/new.md', size: 6, extension: 'md', created: true })
  expect(unfenced(valueOf(await call('doc_read', { path: 'notes/new.md' }))['content'])).toBe('# Né\n')
})

it('keeps what is there unless overwrite is set', async () => {
  const { call } = open()
  expect(codeOf(await call('doc_write', { path: PATH, content: 'new' }))).toBe('file.exists')
  expect(valueOf(await call('doc_write', { path: PATH, content: 'new', overwrite: true }))).toMatchObject({ created: false })
  expect(unfenced(valueOf(await call('doc_read', { path: PATH }))['content'])).toBe('new')
})

it('writes below the caller’s own name only, under the default grants', async () => {
  const { call } = open({ as: { subject: 'ann', scopes: ['docs:write'] } })
  expect(codeOf(await call('doc_write', { path: 'ann/a.md', content: 'x' }))).toBe('ok')
  for (const path of ['bob/a.md', 'ann-b/a.md', 'a.md', 'ann/../bob/a.md']) expect(['access.denied', 'path.invalid']).toContain(codeOf(await call('doc_write', { path, content: 'x' })))
})

it.each([['a.json', '{"a":1,"a":2}', 'content.json'], ['a.md', '>'.repeat(500), 'content.too-deep'], ['a.md', '\ud800', 'input.invalid'],
  ['a.txt', '+/v8 hello', 'content.encoding'], ['a.md', 'a\0b\0c\0d\0', 'content.encoding'], ['a.txt', 'x +ADw-script+AD4- y', 'content.encoding']])(
  'does not write to %s what could not be read back', async (path, content, code) => {
    const { call } = open()
    expect(codeOf(await call('doc_write', { path, content }))).toBe(code)
    expect(codeOf(await call('doc_read', { path }))).toBe('file.unavailable')
  })

it.each(['notes/new.md/', 'notes/new.md/.'])('does not take %s for a document', async (path) => {
  const { call } = open()
  expect(codeOf(await call('doc_write', { path, content: 'x' }))).toBe('path.invalid')
  expect(codeOf(await call('doc_read', { path: 'notes/new.md' }))).toBe('file.unavailable')
})

it('tells the corpus when nobody waits for the write any more', async () => {
  const folder = memoryCorpus()
  const controller = new AbortController()
  // The caller leaves while the write waits for its turn.
  const write: OpenCorpus['write'] = async (...given) => {
    controller.abort()
    return folder.write(...given)
  }
  const { app, me } = open({ options: { replace: { services: { corpus: { ...folder, write } } } } })
  const args = { path: 'late.md', content: 'late' }
  expect(codeOf(await app.dispatch({ kind: 'tool', name: 'doc_write', args }, me, { door: 'library', signal: controller.signal }))).toBe('call.cancelled')
  await expect(folder.stat('late.md')).rejects.toMatchObject({ code: 'file.unavailable' })
})

it('gives back what was written, cleaned and no more', async () => {
  const { call } = open({ settings: { rateLimitEnabled: false } })
  let next = 0
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (content) => {
    const path = `round/${next++}.txt`
    await call('doc_write', { path, content })
    const read = unfenced(valueOf(await call('doc_read', { path }))['content'])
    const again = `round/${next++}.txt`
    await call('doc_write', { path: again, content: read })
    expect(unfenced(valueOf(await call('doc_read', { path: again }))['content'])).toBe(read)
    if (/^[ -~]*$/.test(content)) expect(read).toBe(content)
  }), { numRuns: 100 })
})

describe('a person', () => {
  const YES: Replies = { arrowhead_consent: { action: 'accept', content: { approve: true } } }
  const CAPABLE = { elicitation: { form: {} } } as const
  const OVERWRITE = { path: PATH, content: 'line one\nnew plans.\n', overwrite: true }
  const ask = (world: ReturnType<typeof open>, answer: Replies | (() => Promise<Replies>), args: unknown = OVERWRITE) => {
    const asked: string[] = []
    const outcome = world.app.dispatch({ kind: 'tool', name: 'doc_write', args }, world.me, {
      door: 'stdio', capabilities: CAPABLE,
      ask: async (questions) => {
        asked.push(String(Object.values(questions)[0]?.params['message']))
        return typeof answer === 'function' ? answer() : answer
      },
    })
    return { outcome, asked }
  }
  const contentOf = async (world: ReturnType<typeof open>): Promise<string> => unfenced(valueOf(await world.call('doc_read', { path: PATH }))['content'])

  it('is shown the difference before a document is replaced, and it is replaced after a yes', async () => {
    const world = open()
    const { outcome, asked } = ask(world, YES)
    expect(valueOf(await outcome)).toMatchObject({ created: false })
    expect(asked[0]).toContain('-No DEADLINE here, only plans.\n+line one\n+new plans.')
    expect(await contentOf(world)).toBe(OVERWRITE.content)
  })

  it('is not asked for a new document', async () => {
    const { outcome, asked } = ask(open(), YES, { path: 'notes/new.txt', content: 'x', overwrite: true })
    expect([codeOf(await outcome), asked]).toEqual(['ok', []])
  })

  it.each(['decline', 'cancel'])('who answers %s keeps the document, whatever the flag says', async (action) => {
    const world = open()
    expect(codeOf(await ask(world, { arrowhead_consent: { action } }).outcome)).toBe('consent.declined')
    expect(await contentOf(world)).toBe('No DEADLINE here, only plans.\n')
  })

  it('is asked again when the document changed while they looked at it', async () => {
    const world = open()
    const corpus = async (): Promise<Replies> => {
      await world.call('doc_write', { path: PATH, content: 'by another hand', overwrite: true })
      return YES
    }
    expect(codeOf(await ask(world, corpus).outcome)).toBe('consent.changed')
    expect(await contentOf(world)).toBe('by another hand')
  })

  it('is asked again when the document changed between the question and the retry', async () => {
    const world = open()
    const request = { kind: 'tool', name: 'doc_write', args: OVERWRITE } as const
    const modern = { door: 'http', capabilities: CAPABLE, takesQuestions: true } as const
    const asked = await world.app.dispatch(request, world.me, modern)
    if (asked.is !== 'ask') throw new Error('nobody was asked')
    await world.call('doc_write', { path: PATH, content: 'by another hand', overwrite: true })
    expect(codeOf(await world.app.dispatch(request, world.me, { ...modern, reply: { ticket: asked.ticket, replies: YES } }))).toBe('consent.changed')
    expect(await contentOf(world)).toBe('by another hand')
  })

  it('is not shown what the caller may not read, nor a secret of this server', async () => {
    const authzPolicy = JSON.stringify({ grants: [{ subject: 'ann', actions: ['write'], kinds: ['document'], prefix: 'notes/' }] })
    const drop = open({ as: { subject: 'ann', scopes: ['docs:write'] }, settings: { authzPolicy } })
    const blind = ask(drop, YES)
    expect(codeOf(await blind.outcome)).toBe('ok')
    expect(blind.asked[0]).toContain('which the caller may not read')
    expect(blind.asked[0]).not.toContain('DEADLINE')
    const stateKey = 'k3y-Zq8vN1xR5tB7mW2pL9sD4fG6hJ0aC'
    const own = ask(open({ documents: { [PATH]: `the key is ${stateKey}\n` }, settings: { stateKey } }), YES)
    await own.outcome
    expect(own.asked[0]).not.toContain(stateKey)
  })

  it('sees the whole name of what is replaced, and what would hide in it', async () => {
    const path = `${'a/'.repeat(1500)}x\u200b.txt`
    const world = open({ documents: { [path]: 'old' } })
    const { outcome, asked } = ask(world, YES, { path, content: path, overwrite: true })
    expect(codeOf(await outcome)).toBe('ok')
    expect(asked[0]).toContain(`Target: ${'a/'.repeat(1500)}x\\u{200b}.txt`)
  })

  it('is asked where the operator restricted the tool and opted in', async () => {
    const world = open({ settings: { levelOverrides: ['doc_write=RESTRICTED'], allowRestricted: ['doc_write'] } })
    expect(codeOf(await ask(world, { arrowhead_consent: { action: 'decline' } }).outcome)).toBe('consent.declined')
    expect(await contentOf(world)).toContain('DEADLINE')
  })

  it('is not asked where the operator wants no confirmation', async () => {
    const world = open({ settings: { requireWriteConfirmation: false } })
    const { outcome, asked } = ask(world, { arrowhead_consent: { action: 'decline' } })
    expect([codeOf(await outcome), asked]).toEqual(['ok', []])
  })

  it('is asked for every write where the operator raised the level, and no flag stands in', async () => {
    const world = open({ settings: { levelOverrides: ['doc_write=CONFIRM'] } })
    for (const overwrite of [true, false]) expect(codeOf(await world.call('doc_write', { path: 'notes/new.txt', content: 'x', overwrite }))).toBe('consent.unavailable')
    expect(codeOf(await ask(world, YES, { path: 'notes/new.txt', content: 'x' }).outcome)).toBe('ok')
  })
})

it('does not let one caller see what another may not read through what a write says', async () => {
  const { call } = openAsAnn()
  expect(codeOf(await call('doc_write', { path: 'hr/pay.md', content: 'x' }))).toBe('access.denied')
})
