/** A repository made by somebody who wants the server to run his code, to leave the tree, or to stop answering. */

import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface HostileRepo {
  readonly base: string
  readonly root: string
  /** Made by whatever part of the repository is run. */
  readonly marker: string
}

/** Stands in files outside the root, and in those inside that must not be shown. */
export const CANARY = 'CANARY-7f3a'
/** Stands in files that must be found. */
export const FOUND = 'NEEDLE-51c9'

const BARE = { HEAD: 'ref: refs/heads/main\n', 'objects/info/x.txt': '', 'refs/heads/x.txt': '' }

export function plantHostileRepo(entries: number): HostileRepo {
  const base = mkdtempSync(join(tmpdir(), 'hostile-'))
  const [root, marker] = [join(base, 'repo'), join(base, 'marker')]
  const put = (path: string, content: string | Uint8Array = `${FOUND} ${path}\n`, mode = 0o644): void => {
    const at = join(root, path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, content)
    chmodSync(at, mode)
  }
  mkdirSync(join(base, 'outside'), { recursive: true })
  writeFileSync(join(base, 'outside', 'secret.ts'), CANARY)
  plantGit(put, marker)
  plantLinks(root, put)
  plantEncodings(put)
  plantSizes(put, entries)
  plantSources(put)
  return { base, root, marker }
}

type Put = (path: string, content?: string | Uint8Array, mode?: number) => void

/** Everything that makes git run a program, here and in repositories within this one. */
function plantGit(put: Put, marker: string): void {
  const evil = `#!/bin/sh\ntouch '${marker}'\n`
  put('evil.sh', evil, 0o755)
  const config = `[core]\n\tfsmonitor = ../evil.sh\n\thooksPath = hooks\n\tpager = touch '${marker}'\n\tsshCommand = touch '${marker}'\n[filter "x"]\n\tclean = touch '${marker}'\n\tsmudge = touch '${marker}'\n\tprocess = touch '${marker}'\n[diff "y"]\n\ttextconv = touch '${marker}'\n\tcommand = touch '${marker}'\n[alias]\n\tstatus = !touch '${marker}'\n# ${CANARY}\n`
  for (const place of ['', 'nested/', 'nested/deeper/']) {
    put(`${place}.git/config`, config)
    put(`${place}.git/HEAD`, BARE.HEAD)
    for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'fsmonitor-watchman']) put(`${place}.git/hooks/${hook}`, evil, 0o755)
    put(`${place}.gitattributes`, '* filter=x diff=y\n')
    put(`${place}src/in-repo.ts`)
  }
  // A bare repository made of plain files, which a clone brings along.
  for (const [path, content] of Object.entries(BARE)) put(`bare/${path}`, content)
  put('bare/config', config)
  put('bare/hooks/post-update', evil, 0o755)
  put('bare/readme.md')
  put('submodule/.git', 'gitdir: ../../outside\n')
  put('submodule/a.ts')
  put('.gitmodules', `[submodule "a"]\n\tpath = submodule\n\turl = ext::sh -c "touch '${marker}'"\n`)
  put('package.json', JSON.stringify({ name: FOUND, scripts: { preinstall: 'touch marker' }, exports: { '.': '../../outside/secret.ts' } }))
  put('tsconfig.json', JSON.stringify({ extends: '../outside/tsconfig.json', compilerOptions: { baseUrl: '../..', paths: { '*': ['../outside/*', '/etc/*'] } } }))
}

function plantLinks(root: string, put: Put): void {
  put('links/own.ts')
  const link = (target: string, path: string): void => symlinkSync(target, join(root, path))
  link('.', 'links/loop')
  link('..', 'links/up')
  link('b', 'links/a')
  link('a', 'links/b')
  link('../../outside', 'links/outside')
  link('../../outside/secret.ts', 'links/secret.ts')
  link('/etc', 'links/etc')
  link('/proc/self/environ', 'links/environ.txt')
  link('../.git/config', 'links/config.md')
  link('links', 'again')
  linkSync(join(dirname(root), 'outside', 'secret.ts'), join(root, 'links', 'hard.ts'))
  execFileSync('mkfifo', [join(root, 'links', 'pipe.ts'), join(root, '.gitignore')])
}

/** Encodings, and names that are written in odd ones. */
function plantEncodings(put: Put): void {
  const text = `${FOUND}\n`
  const wide = (order: 'le' | 'be'): Buffer => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
    return order === 'le' ? bytes : bytes.swap16()
  }
  put('enc/utf8-bom.ts', `\ufeffconst ${FOUND.replace('-', '_')} = 1 // ${FOUND}\n`)
  put('enc/utf16le.ts', wide('le'))
  put('enc/utf16be.ts', wide('be'))
  put('enc/utf32.ts', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))
  put('enc/latin1.ts', Buffer.from(`${FOUND} é\n`, 'latin1'))
  put('enc/sjis.ts', Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x0a]))
  put('enc/overlong.ts', Buffer.from([0x2f, 0xc0, 0xae, 0x0a]))
  put('enc/surrogate.ts', Buffer.from([0xed, 0xa0, 0x80, 0x0a]))
  put('enc/cut.ts', Buffer.from([0xe2, 0x82]))
  put('enc/nul.ts', `a\0${FOUND}`)
  put('enc/cr.ts', `a\r${FOUND}\rb\r`)
  put('enc/empty.ts', '')
  put('enc/bidi\u202e.ts')
  put('enc/line\nfeed.ts', CANARY)
  put('enc/$(touch x);`id`.ts')
  put('enc/-rf --pre=sh.ts')
  put(`enc/${'n'.repeat(250)}.ts`)
}

function plantSizes(put: Put, entries: number): void {
  put('size/one-line.ts', `const x = "${'a'.repeat(5_000_000)}${FOUND}"\n`)
  put('size/wide.ts', `const y = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n// ${FOUND}\n`)
  put('size/brackets.py', `${'('.repeat(100_000)}\n# ${FOUND}\n`)
  put('size/indents.py', `${Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}if x:`).join('\n')}\n`)
  put('size/templates.cpp', `${'a<'.repeat(50_000)}\n`)
  put('size/quotes.md', `${'>'.repeat(50_000)}\n${'# '.repeat(20_000)}\n`)
  for (const depth of [90, 200]) put(`${'deep/'.repeat(depth)}a.ts`)
  for (let entry = 0; entry < entries; entry += 1) put(`many/f${entry}.${entry % 100 === 0 ? 'ts' : 'bin'}`, entry % 100 === 0 ? undefined : '')
}

/** Sources that name what lies outside. */
function plantSources(put: Put): void {
  put('src/imports.ts', "import a from '../../outside/secret'\nimport b from '/etc/passwd'\nimport c from 'file:///etc/passwd'\nimport d from '../links/secret'\nexport * from './in-repo'\nimport('../' + x)\nrequire(`${y}`)\n")
  put('src/imports.py', 'from ...... import secret\nfrom ..outside import x\nimport os, sys\n__import__("os").system("id")\n')
  put('src/imports.c', '#include "../../outside/secret.ts"\n#include "/etc/passwd"\n#include </proc/self/environ>\n')
  put('src/setup.py', `import os\nos.system('touch marker')\n`)
  put('Makefile.md', 'x:\n\ttouch marker\n')
}
