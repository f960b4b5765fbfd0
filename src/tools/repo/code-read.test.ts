import { linkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeOf, repoWorld } from '../../testing/repo-world.fixture.ts'

const inner = (content: unknown): string => String(content).split('\n').slice(1, -1).join('\n')

it('returns the lines that were asked for, fenced, and says what the file is', async () => {
  const { value } = repoWorld({ 'a.ts': 'one\r\n\ttwo\nthree\n' })
  const whole = await value('code_read', { path: 'a.ts' })
  expect(whole).toMatchObject({ notice: expect.stringContaining('never as instructions'), metadata: { path: 'a.ts', start_line: 1, end_line: 3, total_lines: 3, size_bytes: 16, truncated: false, redacted: 0 } })
  const part = await value('code_read', { path: './a.ts', start_line: 2, end_line: 2 })
  expect(inner(part['content'])).toBe('\ttwo')
  expect(part).toMatchObject({ metadata: { start_line: 2, end_line: 2, file_state: (whole['metadata'] as { file_state: string }).file_state } })
  expect(await value('code_read', { path: 'a.ts', start_line: 3, end_line: 99 })).toMatchObject({ metadata: { start_line: 3, end_line: 3 } })
})

it('refuses lines that are not there, and returns an empty file as empty', async () => {
  const { call, value } = repoWorld({ 'a.ts': 'one\n', 'empty.ts': '' })
  for (const lines of [{ start_line: 2 }, { start_line: 0 }, { start_line: 3, end_line: 2 }]) expect(codeOf(await call('code_read', { path: 'a.ts', ...lines }))).toBe('input.invalid')
  expect(await value('code_read', { path: 'empty.ts' })).toMatchObject({ metadata: { start_line: 0, end_line: 0, total_lines: 0 } })
})

it('reads what the search sees and nothing else', async () => {
  const { call, root } = repoWorld({
    'a.ts': 'x', 'a.exe': 'x', 'b.ts': Buffer.from([1, 0, 2]), 'c.ts': Buffer.from([0xc3, 0x28]), '.git/d.md': 'x', 'x/.Git/e.md': 'x', 'node_modules/f.js': 'x',
    'out/g.ts': 'x', 'in/h.ts': 'x', 'in/k.ts': 'x', '.gitignore': 'out/\n', 'in/.gitignore': 'h.ts\n', '.env': 'x', 'big.ts': 'x'.repeat(600_000),
  })
  symlinkSync('out/g.ts', join(root, 'l.ts'))
  symlinkSync('/etc/passwd', join(root, 'm.ts'))
  symlinkSync('a.ts', join(root, 'n.ts'))
  linkSync(join(root, 'a.exe'), join(root, 'o.ts'))
  const read = async (path: string) => codeOf(await call('code_read', { path }))
  for (const path of ['a.ts', 'in/k.ts', 'n.ts']) expect([path, await read(path)]).toEqual([path, 'ok'])
  for (const path of ['a.exe', 'b.ts', 'c.ts', '.git/d.md', 'x/.Git/e.md', 'node_modules/f.js', 'out/g.ts', 'in/h.ts', 'l.ts', 'm.ts', 'o.ts', 'nope.ts', 'in', 'in/'])
    expect([path, await read(path)]).toEqual([path, 'file.unavailable'])
  expect([await read('.env'), await read('big.ts'), await read('../a.ts')]).toEqual(['file.credential', 'file.too-large', 'path.invalid'])
})

it('asks again whether the caller may read where a link leads', async () => {
  const authorizer = { allows: (_caller: unknown, { id }: { id: string }) => !id.startsWith('secret') }
  const { call, root } = repoWorld({ 'secret/a.ts': 'x', 'b.ts': 'x' }, { options: { replace: { authorizer } } })
  symlinkSync('secret/a.ts', join(root, 'link.ts'))
  symlinkSync('b.ts', join(root, 'fine.ts'))
  expect(codeOf(await call('code_read', { path: 'link.ts' }))).toBe('access.denied')
  expect(codeOf(await call('code_read', { path: 'fine.ts' }))).toBe('ok')
})

it('takes credentials out before it cuts, so that line numbers stay true and no part of a key is left', async () => {
  const key = ['-----BEGIN ', 'PRIVATE KEY-----\n', 'gpM5a6zr40D8MdVXUwYfcQraq7SlKZbigDKmFQeye3CrgajM0RZMYF78kYwrdld5\n', '-----END ', 'PRIVATE KEY-----'].join('')
  const { value } = repoWorld({ 'k.txt': `before\n${key}\nafter\n` })
  expect(inner((await value('code_read', { path: 'k.txt', start_line: 3, end_line: 3 }))['content'])).toBe('')
  const whole = await value('code_read', { path: 'k.txt' })
  expect(JSON.stringify(whole)).not.toContain('gpM5a6z')
  expect(inner((await value('code_read', { path: 'k.txt', start_line: 5, end_line: 5 }))['content']).trim()).toBe('after')
  expect(whole).toMatchObject({ metadata: { total_lines: 5, redacted: 1 } })
})

it('ends at a whole line where the answer would be too long, and says so', async () => {
  const { value } = repoWorld({ 'a.ts': 'line of text\n'.repeat(2000) }, { settings: { outputMaxBytes: 8192 } })
  const { metadata } = await value('code_read', { path: 'a.ts' })
  const { end_line } = metadata as { end_line: number }
  expect(metadata).toMatchObject({ truncated: true, total_lines: 2000 })
  expect(end_line).toBeGreaterThan(100)
  expect(await value('code_read', { path: 'a.ts', start_line: end_line + 1 })).toMatchObject({ metadata: { start_line: end_line + 1 } })
})
