import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keptSecret } from './kept-secret.ts'

const folder = mkdtempSync(join(tmpdir(), 'arrowhead-secret-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('is made once, kept for its owner alone, and the same ever after', () => {
  const file = join(folder, 'deep', 'state.key')
  const first = keptSecret(file)
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(keptSecret(file)).toBe(first)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'deep'))).toEqual(['state.key'])
})

it('lasts as long as the process where it cannot be kept', () => {
  const file = join(folder, 'broken.key')
  writeFileSync(file, 'not a secret')
  chmodSync(file, 0o600)
  expect(keptSecret(file)).not.toBe(keptSecret(file))
})
