/** What a start with authentication is refused for, in words for the operator. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openIdentity } from '../../src/app/identity.ts'
import { loadSettings } from '../../src/config/index.ts'
import type { Settings } from '../../src/config/index.ts'

const pemOf = (modulusLength: number): string =>
  createPublicKey(generateKeyPairSync('rsa', { modulusLength }).privateKey).export({ type: 'spki', format: 'pem' }).toString()

const settingsWith = (more: object): Settings =>
  loadSettings({
    file: JSON.stringify({
      authEnabled: true, serverPublicUrl: 'https://mcp.example', oauthIssuer: 'https://as.example', oauthAudience: 'https://mcp.example', oauthPublicKey: pemOf(2048), ...more,
    }),
  }).values

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-open-identity-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const listWith = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

it('is nothing where authentication is off, whatever the list of revoked tokens', async () => {
  const { values } = loadSettings({ file: JSON.stringify({ oauthRevocationFile: join(folder, 'absent') }) })
  expect(await openIdentity(values)).toBeUndefined()
})

it('is refused for a list that is absent, too large or malformed, naming the setting and nothing of the list', async () => {
  for (const oauthRevocationFile of [join(folder, 'absent'), folder, listWith('large', 'sub:ann\n'.repeat(600_000)), listWith('wrong', 'sub:ann\nPRIVATE\n')]) {
    const problems = await openIdentity(settingsWith({ oauthRevocationFile })).then(() => [], (error: { readonly problems: readonly string[] }) => error.problems)
    expect(problems).toEqual(['ARROWHEAD_OAUTH_REVOCATION_FILE: the list of revoked tokens cannot be read, or has a line that is no entry'])
  }
})

it('is refused for a key that cannot be used', async () => {
  await expect(openIdentity(settingsWith({ oauthPublicKey: pemOf(1024) }))).rejects.toMatchObject({ name: 'ConfigError', problems: [expect.stringContaining('ARROWHEAD_OAUTH_PUBLIC_KEY')] })
})

it('opens over an empty list', async () => {
  const identity = await openIdentity(settingsWith({ oauthRevocationFile: listWith('empty', '') }))
  expect(await identity?.verify('Bearer a.b.c')).toEqual({ is: 'invalid', reason: 'malformed' })
  identity?.close()
})
