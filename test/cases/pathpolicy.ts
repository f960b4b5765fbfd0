/** Runs the lines of the path policy: builds their tree, and does to it what each line says, through the port that tools use. */

import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '../../src/exits/clock.ts'
import { Refusal, refusal } from '../../src/kernel/refusal.ts'
import { compilePathPolicy } from '../../src/policy/path-policy.ts'
import type { PathRules } from '../../src/policy/path-policy.ts'
import { spellPath } from '../../src/policy/spell-path.ts'
import { CheckpointStore } from '../../src/services/checkpoints/index.ts'
import { createLocalFiles } from '../../src/services/local-files/index.ts'
import type { OpenLocalFiles } from '../../src/services/local-files/index.ts'
import type { Case, Verdict } from './case.ts'
import { buildPathFixture } from './path.ts'
import type { FixtureEntry } from './path.ts'

interface Fixture extends PathRules {
  readonly entries: readonly FixtureEntry[]
}

export type PathPolicyCase = Case<{
  readonly policy?: string
  readonly policyInline?: PathRules
  readonly op: 'read' | 'list' | 'write' | 'delete' | 'rename' | 'copy' | 'symlink'
  readonly path: string
  readonly to?: string
  readonly target?: string
}>

const LISTS = ['allow', 'deny', 'except', 'denyWrite'] as const

export function pathPolicyRunner(dir: string): { run(line: PathPolicyCase): Promise<Verdict> } {
  const fixture = JSON.parse(readFileSync(join(dir, 'pathpolicy.fixture.json'), 'utf8')) as Fixture
  return {
    async run(line) {
      const base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-cases-')))
      try {
        const root = buildPathFixture({ root: 'work', entries: fixture.entries }, base)
        const got = await attempt(line.input, { base, root, rules: line.input.policyInline ?? fixture })
        return { right: got === line.expect, got }
      } finally {
        rmSync(base, { recursive: true, force: true })
      }
    },
  }
}

interface World {
  readonly base: string
  readonly root: string
  readonly rules: PathRules
}

/** A policy that cannot be applied is a server that does not start, which refuses everything. */
async function attempt(input: PathPolicyCase['input'], { base, root, rules }: World): Promise<string> {
  const compiled = compilePathPolicy(Object.fromEntries(LISTS.flatMap((list) => (list in rules ? [[list, rules[list]]] : []))))
  if (!compiled.ok) return 'refuse'
  const checkpoints = new CheckpointStore(join(base, 'kept'), systemClock)
  const files = createLocalFiles({
    roots: [root], checkpoints, maxReadBytes: 1_000_000, maxChangeBytes: 1_000_000,
    spell: (path) => spellPath(path, { home: base, cwd: root }),
    judge: (names, use, above) => (compiled.policy.judge(names, use, above) ? refusal('path.denied') : undefined),
    tools: { pattern: () => () => false, search: async () => ({ matches: [], truncated: false }) },
  })
  try {
    await act(files, input, root)
    return 'allow'
  } catch (error) {
    return error instanceof Refusal ? 'refuse' : `fault: ${String(error)}`
  } finally {
    await files.close()
    await checkpoints.close()
  }
}

async function act(files: OpenLocalFiles, { op, path, to = '', target = '' }: PathPolicyCase['input'], root: string): Promise<void> {
  const there = async (name: string): Promise<string | undefined> => ((await files.exists(name)) ? (await files.read(name)).sha256 : undefined)
  switch (op) {
    case 'read':
      return void (await files.read(path))
    case 'list':
      return void (await files.list(path))
    case 'write':
      return void (await files.write(path, 'written', { run: 'case', agreedTo: await there(path) }))
    case 'delete':
      return void (await files.remove(path, { run: 'case', agreedTo: undefined }))
    case 'rename':
      return void (await files.move(path, to, { run: 'case', agreedTo: undefined }))
    case 'copy':
      return void (await files.copy(path, to, { run: 'case', agreedTo: undefined }))
    case 'symlink': {
      // No tool makes links: the places that one would join must be allowed.
      await files.places(path, 'write')
      await files.places(target.startsWith('/') ? target : join(dirname(join(root, path)), target), 'read')
    }
  }
}

