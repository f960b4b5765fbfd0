import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFiles, type OpenFiles } from './read-only-files.ts'

describe('createFiles', () => {
  let base = ''
  let files: OpenFiles
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'files-'))
    files = createFiles({ root: join(base, 'root'), maxBytes: 10 })
  })
  afterEach(async () => {
    await files.close()
    rmSync(base, { recursive: true, force: true })
  })
  const refusedAs = (code: string) => expect.objectContaining({ name: 'Refusal', code })

  it('refuses every read while the root is missing, and reads once it is there', async () => {
    await expect(files.text('a.md')).rejects.toEqual(refusedAs('file.unavailable'))
    await expect(files.text('a.md')).rejects.toEqual(refusedAs('file.unavailable'))
    mkdirSync(join(base, 'root'))
    writeFileSync(join(base, 'root/a.md'), 'hello')
    expect(await files.text('a.md')).toBe('hello')
  })

  it('opens nothing before the first read', async () => {
    await expect(createFiles({ root: join(base, 'never'), maxBytes: 1 }).close()).resolves.toBeUndefined()
  })

  it('answers each kind of no with its code', async () => {
    mkdirSync(join(base, 'root'))
    writeFileSync(join(base, 'root/.env'), 'A=1')
    writeFileSync(join(base, 'root/large.md'), 'x'.repeat(11))
    symlinkSync('.env', join(base, 'root/notes'))
    await expect(files.text('../x')).rejects.toEqual(refusedAs('path.invalid'))
    await expect(files.text('missing')).rejects.toEqual(refusedAs('file.unavailable'))
    await expect(files.text('large.md')).rejects.toEqual(refusedAs('file.too-large'))
    await expect(files.text('.env')).rejects.toEqual(refusedAs('file.credential'))
    await expect(files.text('notes')).rejects.toEqual(refusedAs('file.credential'))
  })

  it('reads many files at once through one root', async () => {
    mkdirSync(join(base, 'root'))
    for (let n = 0; n < 20; n += 1) writeFileSync(join(base, `root/${n}`), `${n}`)
    const texts = await Promise.all(Array.from({ length: 20 }, (_one, n) => files.text(`${n}`)))
    expect(texts).toEqual(Array.from({ length: 20 }, (_one, n) => `${n}`))
  })
})
