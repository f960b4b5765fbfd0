import { expect, it } from 'vitest'
import { repoWorld } from '../../testing/repo-world.fixture.ts'

type Files = Readonly<Record<string, string>>

/** `source > target`, with a mark: nothing for a file, `!` for external, `?` for unresolved. */
async function edgesOf(files: Files): Promise<readonly string[]> {
  const { edges } = await repoWorld(files).value('dependency_graph', {})
  return (edges as readonly { readonly source: string; readonly target: string; readonly status: string }[]).map(({ source, target, status }) => `${source} > ${target}${{ file: '', external: '!', unresolved: '?' }[status]}`)
}

it('says what each file imports, what is external, and what leads nowhere', async () => {
  const { value } = repoWorld({ 'a.ts': "import { b } from './b.js'\nimport * as fs from 'node:fs'\nimport x from './gone'\n", 'b.ts': '' })
  expect(await value('dependency_graph', {})).toMatchObject({
    edge_count: 3, truncated: false, files_seen: 2,
    edges: [
      { source: 'a.ts', target: 'b.ts', external: false, status: 'file' },
      { source: 'a.ts', target: 'node:fs', external: true, status: 'external' },
      { source: 'a.ts', target: './gone', external: false, status: 'unresolved' },
    ],
  })
})

it('reads every form of import of TypeScript and JavaScript, and none in comments, strings and templates', async () => {
  expect(await edgesOf({
    'a.ts': [
      "import './side.js'", "export * from './all'", "import type { T } from './t'", "const r = require('./r')", "const d = await import('./d.jsx')", 'import eq = require("./eq")',
      "// import './no1'", "/* import './no2' */", 'const s = "import \'./no3\'"', '`import "./no4" ${1}`', "obj.require('./no5')", "import {\n  a,\n  b,\n} from './many'", "import './dir'", "import j from './j.json'", "import u from './u.svg?raw'",
    ].join('\n'),
    'side.ts': '', 'all.tsx': '', 't.d.ts': '', 'r.js': '', 'd.tsx': '', 'eq.ts': '', 'many.ts': '', 'dir/index.ts': '', 'j.json': '{}', 'no1.ts': '', 'no2.ts': '', 'no3.ts': '', 'no4.ts': '', 'no5.ts': '',
  })).toEqual(['side.ts', 'all.tsx', 't.d.ts', 'r.js', 'd.tsx', 'eq.ts', 'many.ts', 'dir/index.ts', 'j.json', './u.svg?raw?'].map((target) => `a.ts > ${target}`))
})

it('follows paths of tsconfig, through what it extends, and package imports and exports', async () => {
  expect(await edgesOf({
    'tsconfig.json': '{ "extends": "./base.json", /* c */ "compilerOptions": { "strict": true, } }',
    'base.json': '{ "compilerOptions": { "baseUrl": "src", "paths": { "@/*": ["app/*"], "@/deep/*": ["deep/*"], "exact": ["one.ts"] } } }',
    'src/a.ts': "import '@/x'\nimport '@/deep/y'\nimport 'exact'\nimport 'plain/z'\nimport '#own'\nimport 'pkg'\nimport 'pkg/sub/s'\nimport 'other'\nimport '@scope/none/a'\n",
    'src/app/x.ts': '', 'src/deep/y.ts': '', 'src/one.ts': '', 'src/plain/z.ts': '', 'src/own.ts': '',
    'package.json': '{ "name": "root", "imports": { "#own": { "default": "./src/own.ts" } } }',
    'packages/pkg/package.json': '{ "name": "pkg", "exports": { ".": { "types": "./dist/main.d.ts", "default": "./dist/main.js" }, "./sub/*": "./lib/*.js" } }',
    'packages/pkg/src/main.ts': '', 'packages/pkg/src/s.ts': '',
    'packages/other/package.json': '{ "name": "other", "main": "go" }', 'packages/other/go.js': '',
  })).toEqual([
    'src/a.ts > src/app/x.ts', 'src/a.ts > src/deep/y.ts', 'src/a.ts > src/one.ts', 'src/a.ts > src/plain/z.ts', 'src/a.ts > src/own.ts', 'src/a.ts > packages/pkg/src/main.ts',
    'src/a.ts > packages/pkg/src/s.ts', 'src/a.ts > packages/other/go.js', 'src/a.ts > @scope/none/a!',
  ])
})

it.each<readonly [string, Files, readonly string[]]>([
  ['Python', {
    'pkg/__init__.py': '', 'pkg/a.py': '"""import no"""\nimport os, pkg.b as b\nfrom . import c, NAME\nfrom .sub.d import (\n  x,\n  y,\n)\nfrom ..up import z\nfrom pkg import c\nfrom pkg.gone import q\n# import pkg.c\n',
    'pkg/b.py': '', 'pkg/c.py': '', 'pkg/sub/__init__.py': '', 'pkg/sub/d.py': '',
  }, ['os!', 'pkg/b.py', 'pkg/__init__.py', 'pkg/c.py', 'pkg/sub/d.py', '..up?', 'pkg.gone?']],
  ['Go', { 'go.mod': 'module example.com/m\n', 'pkg/a.go': 'package a\nimport "fmt"\nimport (\n  x "example.com/m/b"\n  "example.com/m/none"\n  _ "github.com/q/r"\n)\nvar s = "import \\"no\\""\n', 'b/b.go': 'package b\n' }, ['fmt!', 'b/', 'example.com/m/none?', 'github.com/q/r!']],
  ['Rust', { 'Cargo.toml': '[package]\nname = "my-crate"\n', 'src/lib.rs': '', 'pkg/a.rs': '', 'src/x.rs': '', 'src/y/mod.rs': '', 'src/y/z.rs': '' }, []],
  ['Java', { 'pkg/a.java': 'package pkg;\nimport java.util.List;\nimport com.x.B;\nimport static com.x.B.run;\nimport com.x.*;\nimport com.y.C.Inner;\n', 'src/main/com/x/B.java': '', 'src/main/com/y/C.kt': '' }, ['java.util.List!', 'src/main/com/x/B.java', 'src/main/com/x/', 'src/main/com/y/C.kt']],
  ['Kotlin', { 'pkg/a.kt': 'import com.x.B\nimport com.x.topLevel\nimport kotlin.math.*\n', 'com/x/B.kt': '' }, ['com/x/B.kt', 'com/x/', 'kotlin.math.*!']],
  ['C', { 'pkg/a.c': '#include "b.h"\n#include <stdio.h>\n  # include "sub/c.h"\n#include <lib/d.h>\n#include "gone.h"\n// #include "no.h"\n', 'pkg/b.h': '', 'include/sub/c.h': '', 'include/lib/d.h': '', 'no.h': '' }, ['pkg/b.h', 'include/sub/c.h', 'gone.h?', 'stdio.h!', 'include/lib/d.h']],
  ['C#', { 'pkg/a.cs': 'using System.Text;\nusing My.Lib;\nusing static My.Lib.Tool;\nusing X = My.Other.Y;\n', 'lib/one.cs': 'namespace My.Lib;\n', 'other/two.cs': 'namespace My.Other { }\n' }, ['System.Text!', 'lib/', 'other/']],
  ['Ruby', { 'pkg/a.rb': "require 'json'\nrequire 'x/y'\nrequire_relative 'b'\nrequire_relative '../gone'\nautoload :Z, 'z'\n# require 'no'\n", 'lib/x/y.rb': '', 'pkg/b.rb': '', 'lib/z.rb': '' }, ['json!', 'lib/x/y.rb', 'pkg/b.rb', '../gone?', 'lib/z.rb']],
  ['PHP', { 'composer.json': '{"autoload":{"psr-4":{"App\\\\":"src/"}}}', 'pkg/a.php': "<?php\nuse App\\Model\\User;\nuse App\\{Kernel, Gone};\nuse Vendor\\Lib\\X;\nrequire_once __DIR__ . '/b.php';\ninclude 'gone.php';\n", 'src/Model/User.php': '', 'src/Kernel.php': '', 'pkg/b.php': '' }, ['src/Model/User.php', 'src/Kernel.php', 'App\\Gone?', 'Vendor\\Lib\\X!', 'pkg/b.php', 'gone.php?']],
])('reads imports of %s', async (_language, files, targets) => {
  expect((await edgesOf(files)).filter((edge) => edge.startsWith('pkg/a.'))).toEqual(targets.map((target) => `pkg/a.${Object.keys(files).find((path) => path.startsWith('pkg/a.'))?.slice(6)} > ${target}`))
})

it('reads modules and uses of Rust', async () => {
  expect(await edgesOf({
    'Cargo.toml': '[package]\nname = "my-crate"\n', 'other/Cargo.toml': '[package]\nname = "other-crate"\nversion = "1"\n', 'other/src/lib.rs': 'pub mod deep;\n', 'other/src/deep.rs': '',
    'src/lib.rs': 'mod x;\npub mod y;\nmod gone;\nmod inline { }\nuse crate::y::{z::Thing, self as me};\nuse std::io::{self, Read};\nuse other_crate::deep::T;\n', 'src/x.rs': "use super::y::z;\nuse self::inner;\nfn f<'a>(x: &'a str) {}\n", 'src/y/mod.rs': 'mod z;\n', 'src/y/z.rs': '',
  })).toEqual([
    'other/src/lib.rs > other/src/deep.rs', 'src/lib.rs > src/x.rs', 'src/lib.rs > src/y/mod.rs', 'src/lib.rs > gone?', 'src/lib.rs > src/y/z.rs', 'src/lib.rs > std!', 'src/lib.rs > other/src/deep.rs',
    'src/x.rs > src/y/z.rs', 'src/y/mod.rs > src/y/z.rs',
  ])
})

it('tells nothing of files that the caller may not read', async () => {
  const authorizer = { allows: (_caller: unknown, { id }: { id: string }) => !id.startsWith('secret') }
  const { value } = repoWorld({ 'a.ts': "import './secret'\n", 'secret.ts': "import './a'\n" }, { options: { replace: { authorizer } } })
  expect((await value('dependency_graph', {}))['edges']).toEqual([{ source: 'a.ts', target: './secret', external: false, status: 'unresolved' }])
})

it('says which limit ended it, and ends in time for text made to take more', async () => {
  const { value } = repoWorld({ 'a.ts': "import './b'\n", 'b.ts': "import './a'\n" }, { settings: { dependencyGraphMaxFiles: 1 } })
  expect(await value('dependency_graph', {})).toMatchObject({ edge_count: 1, truncated: true, limit: 'files' })
  const hostile = ['/*'.repeat(50_000), '"'.repeat(100_000), '`${'.repeat(30_000), 'from x import (\n'.repeat(10_000), 'use a::{\n'.repeat(10_000), '\\'.repeat(100_000), 'import (\n'.repeat(10_000)]
  const files = Object.fromEntries(hostile.flatMap((text, place) => ['ts', 'py', 'go', 'rs', 'java', 'c', 'cs', 'rb', 'php'].map((ending) => [`f${place}.${ending}`, text])))
  expect(await repoWorld(files).value('dependency_graph', {})).toMatchObject({ truncated: false, files_seen: 63 })
})

it('counts files of languages whose imports it cannot read, and does not take them for files without any', async () => {
  const { value } = repoWorld({ 'run.sh': '. ./lib.sh\n', 'notes.md': '# Notes\n', 'a.py': 'import os\n' })
  expect(await value('dependency_graph', {})).toMatchObject({ edge_count: 1, truncated: false, skipped: 'language 2', files_seen: 3 })
})

it('reads several imports of one line of Scala', async () => {
  const { value } = repoWorld({ 'm.scala': 'import a.b.{C, D => E}, q.r\nimport z.w.*, u.v._\n' })
  expect((await value('dependency_graph', {}))['edges']).toMatchObject(['a.b.C', 'a.b.D', 'q.r', 'z.w.*', 'u.v._'].map((target) => ({ target, status: 'external' })))
})
