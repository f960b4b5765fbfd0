import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TestWorld } from '../../../src/testing/index.ts'
import { codeOf, valueOf } from '../probes.ts'
import type { Area } from '../proves.ts'

const LOOKS = [
  ['code_search', { query: 'ZXQV' }],
  ['symbol_map', {}],
  ['dependency_graph', {}],
] as const

function tree(root: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
    utimesSync(join(root, path), 1_700_000_000, 1_700_000_000)
  }
  return root
}

const over = (repoRoot: string, prefix = ''): TestWorld => ({
  as: { subject: 'ann', scopes: ['repo:search', 'repo:read'] },
  settings: {
    repoRoot, rateLimitEnabled: false,
    authzPolicy: JSON.stringify({ grants: [{ subject: '*', actions: ['search', 'read'], kinds: ['repo_prefix'], prefix: '' }, { subject: '*', actions: ['read'], kinds: ['repo_file'], prefix }] }),
  },
})

const OPEN = { 'a/one.ts': "import './two'\nexport const ZXQV = 1\n", 'a/two.ts': 'export function two() {}\n' }

export const repo: Area = (proves) => {
  proves('repo.no-trace', 'every look at the source tree answers as if the hidden file did not exist', async ({ open, folder }) => {
    const hidden = { 'b/hidden.ts': "import '../a/one'\nexport const ZXQV_HIDDEN = 'ZXQV'\n" }
    const [with_, without] = [open(over(tree(folder(), { ...OPEN, ...hidden }), 'a/')), open(over(tree(folder(), OPEN), 'a/'))]
    for (const [name, args] of LOOKS) {
      const answers = await Promise.all([with_, without].map(async ({ call }) => valueOf(await call(name, args))))
      expect(Object.keys(answers[0] ?? {}).length).toBeGreaterThan(1)
      const [one, other] = answers.map((answer) => JSON.stringify(answer).replaceAll(/<<(?:data|end) [\w-]+>>/g, ''))
      expect(one).toBe(other)
    }
  })

  proves('repo.inside', 'a link, a parent and an absolute path lead nowhere, for search, outline and reading alike', async ({ open, folder }) => {
    const outside = tree(folder(), { 'secret.ts': 'export const ZXQV_OUTSIDE = 1\n' })
    const root = tree(folder(), OPEN)
    symlinkSync(outside, join(root, 'linked'))
    symlinkSync(join(outside, 'secret.ts'), join(root, 'a', 'linked.ts'))
    const { call } = open(over(root))
    for (const [name, args] of LOOKS) expect(JSON.stringify(valueOf(await call(name, args)))).not.toContain('OUTSIDE')
    for (const path of ['linked/secret.ts', 'a/linked.ts', '../secret.ts', join(outside, 'secret.ts')]) {
      expect(['path.invalid', 'file.unavailable']).toContain(codeOf(await call('code_read', { path })))
    }
  })

  proves('repo.no-process', 'a repository that names programs of its own to git has none of them run', async ({ open, folder }) => {
    const root = tree(folder(), OPEN)
    const marker = join(root, 'ran')
    const program = join(root, 'program.sh')
    writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\n`)
    chmodSync(program, 0o755)
    tree(root, {
      '.git/config': `[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n\tbare = false\n\trepositoryformatversion = 0\n[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n[diff "x"]\n\ttextconv = ${program}\n`,
      '.git/HEAD': 'ref: refs/heads/main\n', '.git/hooks/post-checkout': `#!/bin/sh\ntouch '${marker}'\n`, '.gitattributes': '* filter=x diff=x\n',
    })
    const { call } = open(over(root))
    for (const [name, args] of [...LOOKS, ['code_read', { path: 'a/one.ts' }]] as const) expect(codeOf(await call(name, args))).toBe('ok')
    expect(existsSync(marker)).toBe(false)
  })
}
