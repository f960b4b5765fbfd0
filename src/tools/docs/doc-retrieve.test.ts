import { expect, it } from 'vitest'
import type { Fetched } from '../../kernel/services.ts'
import { page } from '../../testing/index.ts'
import { codeOf, open, unfenced, valueOf } from './docs.fixture.ts'

const URL = 'https://docs.example/a'

const fetching = (answer: Partial<Fetched>, body = '# A <b>b</b>') =>
  open({ options: { replace: { services: { egress: { get: async (url: string) => ({ ...page(url, body), ...answer }) } } } } })

it.each([
  ['text/markdown; charset=utf-8', URL, '# A <b>b</b>', 'markdown', '# A b\n'],
  ['text/plain', `${URL}.md`, '# A <b>b</b>', 'markdown', '# A b\n'],
  ['text/plain', URL, '# A <b>b</b>', 'text', '# A <b>b</b>'],
  ['application/ld+json', URL, '{ "b": 1.0, "a": 2 }', 'json', '{"a":2,"b":1}'],
])('takes %s at %s for what it is', async (contentType, url, body, format, clean) => {
  const { metadata, content } = valueOf(await fetching({ contentType }, body).call('doc_retrieve', { url }))
  expect(metadata).toMatchObject({ source: url, kind: 'web', format })
  expect(unfenced(content)).toBe(clean)
})

it.each<[Partial<Fetched>, string]>([
  [{ contentType: 'text/html' }, 'content.kind'],
  [{ contentType: 'application/octet-stream' }, 'content.kind'],
  [{ contentType: 'text/plain; charset=iso-8859-1' }, 'content.encoding'],
  [{ bytes: Uint8Array.of(0x61, 0xff) }, 'content.encoding'],
  [{ status: 404 }, 'egress.status'],
  [{ status: 500 }, 'egress.status'],
])('refuses %o as %s', async (answer, code) => {
  expect(codeOf(await fetching(answer).call('doc_retrieve', { url: URL }))).toBe(code)
})
