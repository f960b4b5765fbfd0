/**
 * Runs the path policy cases over the walls of a confined assistant. What the cases' policy denies by name is built in;
 * the rest becomes rules.
 */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createConfinement } from '../../src/app/confinement.ts'
import type { Confinement } from '../../src/app/confinement.ts'
import { findGround } from '../../src/app/workspace-start.ts'
import { openJail } from '../../src/exits/disk/jail.ts'
import { inherit, parseRules } from '../../src/policy/workspace-rules.ts'
import type { Case, Verdict } from './case.ts'

interface Input {
  readonly op: 'read' | 'write' | 'delete' | 'rename' | 'copy' | 'symlink' | 'list'
  readonly path: string
  readonly to?: string
  readonly target?: string
  readonly policyInline?: { readonly allow?: unknown; readonly deny?: unknown }
}
export type PathPolicyCase = Case<Input>

interface Fixture {
  readonly deny: readonly string[]
  readonly denyWrite: readonly string[]
  readonly except: readonly string[]
  readonly entries: readonly (readonly ['file' | 'symlink', string, string])[]
}

/** What a name alone makes a credential is no rule of anybody's. */
const BUILT_IN = /\.env|\.pem|\.key|\.ssh|\.aws|id_rsa|credentials\.json|^\.git\//

const rule = (tool: string) => (path: unknown): object => ({ tool, action: 'deny', path })

const may = async (walls: Confinement, tool: string, path: string): Promise<boolean> => (await walls.denies(tool, path)) === undefined

async function allowed(walls: Confinement, { op, path, to = '' }: Input): Promise<boolean> {
  switch (op) {
    case 'read':
      return may(walls, 'read', path)
    case 'list':
      return may(walls, 'ls', path)
    case 'write':
    case 'delete':
      return may(walls, 'write', path)
    case 'rename':
      return (await may(walls, 'read', path)) && (await may(walls, 'write', path)) && may(walls, 'write', to)
    case 'copy':
      return (await may(walls, 'read', path)) && may(walls, 'write', to)
    case 'symlink':
      // There is no tool that makes links.
      return false
  }
}

export async function workspacePathRunner(dir: string) {
  const fixture = JSON.parse(readFileSync(join(dir, 'pathpolicy.fixture.json'), 'utf8')) as Fixture
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-workspace-paths-')))
  for (const [kind, path, content] of fixture.entries) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    if (kind === 'symlink') symlinkSync(content, join(base, path))
    else writeFileSync(join(base, path), content)
  }
  const root = join(base, 'work')
  const { ground } = findGround(root, [join(base, 'data')])
  const jail = await openJail(root)
  const own = [...fixture.deny.filter((path) => !BUILT_IN.test(path)).map(rule('*')), ...fixture.denyWrite.filter((path) => !BUILT_IN.test(path)).map(rule('write'))]
  return {
    /** An allow list of paths has no counterpart: what lies inside may be read. */
    applies: ({ input: { policyInline } }: PathPolicyCase): boolean => !(Array.isArray(policyInline?.allow) && Array.isArray(policyInline.deny) && policyInline.deny.length === 0),
    async run({ input, expect }: PathPolicyCase): Promise<Verdict> {
      const deny = input.policyInline?.deny
      const parsed = parseRules(input.policyInline ? (Array.isArray(deny) ? deny.map(rule('*')) : deny) : own)
      const got = parsed.ok && (await allowed(createConfinement({ mode: 'acceptEdits', jail, ground, rules: inherit(parsed.rules, ground) }), input)) ? 'allow' : 'refuse'
      return { right: got === expect, got: parsed.ok ? got : `${got}: ${parsed.problems.join('; ')}` }
    },
    close(): void {
      jail.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}
