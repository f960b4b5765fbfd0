import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testApp } from '../testing/index.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'

it('finds the files that the caller may see, however many others stand before them', async () => {
  const repoRoot = scratchFolder('repo')
  for (const path of ['hr/1.py', 'hr/2.py', 'hr/3.py', 'open/a.py']) {
    mkdirSync(join(repoRoot, path, '..'), { recursive: true })
    writeFileSync(join(repoRoot, path), `deadline = "${path}"\n`)
  }
  const grants = [{ subject: '*', actions: ['search'], kinds: ['prefix', 'repo_prefix'], prefix: '' }, { subject: '*', actions: ['read'], kinds: ['repo_file'], prefix: 'open' }]
  const { call } = testApp({ as: { subject: 'ann', scopes: ['context:read'] }, settings: { repoRoot, docsRoot: scratchFolder('docs'), repoSearchMaxFiles: 2, authzPolicy: JSON.stringify({ grants }) } })
  expect(await call('pack_context', { query: 'deadline' })).toMatchObject({ is: 'ok', answer: { value: { truncated: false, snippets: [{ source: 'open/a.py' }] } } })
})
